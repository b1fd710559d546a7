"""HTTP: routes, bodies, tokens, errors and answers. The one room that knows Chalice."""
