/** Planted defect: after an ambiguous response a purchase is not looked up in the carrier's list. */
import 'reflect-metadata';
import { PhoneNumberPurchasesService } from '#src/modules/phone-numbers/phone-number-purchases.service.js';

PhoneNumberPurchasesService.prototype.findPurchasedNumber = async () => null;
