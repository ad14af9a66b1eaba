package main

var historyFaults []fault
