/* SPDX-License-Identifier: Apache-2.0 */
/** What the functions of this folder answer. */
#ifndef HYBRID_ERRORS_H
#define HYBRID_ERRORS_H

enum hybrid_error {
  HYBRID_OK = 0,
  HYBRID_NULL,       ///< a pointer that must lead somewhere does not
  HYBRID_RANGE,      ///< a number is beyond its limits
  HYBRID_COSTS,      ///< costs by which a move would pay though NVM is no slower than DRAM
  HYBRID_STATE,      ///< not possible as things stand: a frame that is free already, a page that is held already
  HYBRID_NONE_LEFT,  ///< nothing to give
  HYBRID_REFUSED,    ///< the controller refused a command or a setting
};

#endif
