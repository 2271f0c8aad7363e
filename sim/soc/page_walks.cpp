// SPDX-License-Identifier: Apache-2.0
#include "page_walks.hpp"

namespace weir::soc {

PageWalks& page_walks() {
  static PageWalks walks;
  return walks;
}

}  // namespace weir::soc

// Called by page_walks.sv.
extern "C" void hart_walks(int hart, unsigned char data, unsigned char instructions, unsigned char read) {
  weir::soc::PageWalks& walks = weir::soc::page_walks();
  weir::soc::add(walks.data, hart, data);
  weir::soc::add(walks.instructions, hart, instructions);
  weir::soc::add(walks.reads, hart, read);
}
