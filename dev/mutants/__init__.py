"""Do tests see it when the app breaks a promise? Small faults are put in, one by one, and the API's tests are run."""
