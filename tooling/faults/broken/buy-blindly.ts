/** Planted defect: a purchase without a clear answer is not looked up in the carrier's list. */
import 'reflect-metadata';
import { PhoneNumberPurchasesService } from '#src/modules/phone-numbers/phone-number-purchases.service.js';

PhoneNumberPurchasesService.prototype.findBought = async () => null;
