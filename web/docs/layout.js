const page = document.querySelector("rapi-doc");
// RapiDoc takes a relative server for one of the host's root; the document has it relative to itself.
page.setAttribute("server-url", new URL("/v1", location));
// On a phone a list that unfolds; where there is room for it, a menu beside one operation at a time.
if (matchMedia("(min-width: 900px)").matches) page.setAttribute("render-style", "focused");
