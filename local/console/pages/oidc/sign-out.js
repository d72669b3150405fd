document.forms[0].requestSubmit(document.querySelector('button'));
