// Package sandbox is the stand-in internet: a forward proxy that plays every upstream site under its real name and
// URL, with data that is the same in every run. A worker of the test environment is an ordinary worker whose
// HTTPS_PROXY and SSL_CERT_FILE point here; nothing in it knows of the sandbox. The proxy never dials out: a host
// that it does not play is answered with 502.
//
// # Adding a site
//
// A site is an [net/http.Handler] and a line in sites.go. Carriers' sites are in package carriers, a file each,
// with their pages as templates beside them. Each state's sites are a package, such as california; what the states
// have in common is in packages license (the licenses) and opendata (the services of TX and NY). Package eia plays
// the publishers of diesel prices.
//
// # Faults and counters
//
// [Sandbox.Fault] in process, or POST /faults on the admin address, makes a site fail; the constants of [Kind] are
// the ways. [Sandbox.Requests], or GET /requests, counts what was asked for. [Sandbox.Admin] lists the calls.
// Requests of the product carry nothing for the sandbox's sake.
//
// # What is real
//
// The weekly price of diesel from 2022-01-03 to 2026-09-21 (EIA), the bands of ODFL (tariff ODFL 128-CC, and half a
// point for each five cents begun above 5.10), what all carriers but RLC and FEDEX charged at 5.599 in the week
// that was read on 2026-09-08, the lags from the EIA's Monday (ODFL's +9 days is uncertain), hosts and URLs, and
// the headings and formats of SAIA, ESTES, ABF, TFORCE and AVERITT as far as they are known.
//
// # What is invented
//
//   - Prices after 2026-09-21: the series runs backwards, n weeks after that Monday as n weeks before it. A price is
//     published on Tuesday at 10:00 Eastern, holidays or not.
//   - Bands of all carriers but ODFL: equal steps through the known value at 5.599.
//   - RLC and FEDEX: their percents (47.30 and 48.90 at 5.599), lags and pages. RLC's page is price first with two dates
//     and a truckload column headed "LTL > 20,000 lbs".
//   - When a site shows a rate: Tuesday 10:00, with the EIA; ODFL a week later, two days ahead of the effective date; TFORCE
//     at midnight of the effective date, since it shows one row only.
//   - How many weeks are shown: ODFL 60, SAIA all since 2022, ESTES 52, ABF 30, RLC 40, TFORCE 1, XPO 52, SEFL 30,
//     AVERITT 26, FEDEX 53.
//   - Truckload (twice LTL), volume (0.91 of it), rates per mile and pound, minimum charges, parcel percents, gasoline and
//     regional prices: they are there to be passed over.
//   - Names of the members of ODFL's JSON; the paths /api/fuel-surcharge/v1/current and /history of ESTES and the member
//     "scale" of the former; ABF's /abf-freight/assets/fuel.json. ESTES's history ends with a failed row, as the real
//     one may.
//   - AVERITT's cookie comes from the home page of tools.averitt.com; without it all else there is 500.
//   - [ForeignHost], which is no one's.
//   - All licenses, their numbers, names and dates (package license). What was chosen about the states' sites and the paid
//     services, because nothing is known, stands at the head of their packages: california, texas, newyork, florida,
//     illinois, solver, renderer.
package sandbox
