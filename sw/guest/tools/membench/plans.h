/* SPDX-License-Identifier: Apache-2.0 */
/** What is measured in a guest. */
#ifndef PLANS_H
#define PLANS_H

#include "plan.h"

extern const struct plan plan_usual, plan_quick;

#endif
