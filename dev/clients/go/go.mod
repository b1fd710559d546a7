module example.org/do-dooni/dodooni

go 1.19
