// SPDX-License-Identifier: Apache-2.0
#include "rules.hpp"

#include <array>

namespace weir::dram {
namespace {

constexpr std::array<RuleText, kRules> kTexts = {{
    {"tRCD", "ACT", "activate to read or write of the bank"},
    {"tRP", "PRE", "precharge to activate of the bank; to refresh, mode register set and ZQ calibration of the rank"},
    {"tRAS", "ACT", "activate to precharge of the bank"},
    {"tRC", "ACT", "activate to activate of the bank"},
    {"tRRD_S", "ACT", "activate to activate of two banks of a rank"},
    {"tRRD_L", "ACT", "activate to activate of two banks of a bank group"},
    {"tFAW", "fourth last ACT", "no more than four activates of a rank in this window"},
    {"tRTP", "RD", "read to precharge of the bank"},
    {"tWR", "end of write data", "end of write data to precharge of the bank"},
    {"tPPD", "PRE", "precharge to precharge of a rank"},
    {"tCCD_S", "RD/WR", "column command to column command of a rank"},
    {"tCCD_L", "RD/WR", "column command to column command of a bank group"},
    {"tCCD_L_WR", "WR", "write to write of a bank group"},
    {"tWTR_S", "end of write data", "end of write data to read command of a rank"},
    {"tWTR_L", "end of write data", "end of write data to read command of a bank group"},
    {"tRTW", "RD", "read to write of a rank: CL + 4 + 2 - CWL clocks, CL + 8 + 4 - CWL of DDR5, the bus turnaround"},
    {"tRTRS", "burst of another rank", "gap on the data bus between bursts of two ranks"},
    {"DATA_BUS", "burst of another rank", "two bursts overlap on the data bus"},
    {"tRFC", "REF", "refresh to the next command of the rank"},
    {"tREFSBRD", "REFsb", "refresh of a set of banks to activate of another bank of the rank"},
    {"tREFI", "REF", "more than nine tREFI (17 tREFI2, 33 tREFI4) between two refreshes of a rank"},
    {"REFRESH_POSTPONED", "", "more than eight refreshes of a rank are owed, four of DDR5"},
    {"REFRESH_PULLED_IN", "16th last REF", "more than sixteen refreshes of a rank within two tREFI, eight of DDR5"},
    {"REFRESH_GROUP", "",
     "a whole refresh or another granularity before two fine refreshes of 2x, or four of 4x, are done"},
    {"REFRESH_SET", "REFsb", "a set of banks, or the rank, is refreshed before all other sets had their turns"},
    {"REFRESH_UNNEEDED", "", "refresh of a memory that needs none"},
    {"tREFW", "last refresh of the row", "the row was not refreshed within the retention time and lost its data"},
    {"tZQ", "ZQCL/ZQCS", "ZQ calibration to the next command of the rank (tZQinit, tZQoper, tZQCS)"},
    {"tMRD", "MRS", "mode register set to mode register set"},
    {"tMOD", "MRS", "mode register set to any other command"},
    {"tXPR", "CKE high", "CKE high after reset to the first command"},
    {"tXP", "CKE high", "CKE high after power-down to the next command"},
    {"tDLLK", "DLL reset", "reset of the DLL to the first read"},
    {"INITIALISATION_ORDER", "", "mode registers and ZQ calibration are out of JEDEC's order"},
    {"NOT_INITIALISED", "", "activate, read or write before the initialisation sequence has ended"},
    {"MODE_CL", "", "the CAS latency of mode register 0 is not the PHY's"},
    {"MODE_CWL", "", "the CAS write latency of mode register 2 is not the PHY's"},
    {"MODE_WR", "", "the write recovery of mode register 0 is reserved or less than tWR"},
    {"MODE_BURST", "", "mode register 0 does not choose bursts of eight"},
    {"MODE_ADDITIVE_LATENCY", "", "mode register 1 chooses an additive latency"},
    {"MODE_FINE_REFRESH", "", "mode register 3 chooses a granularity of refresh that does not exist"},
    {"ODT_READ", "RD", "ODT terminates a rank that drives the bus, from two clocks before its read data to their end"},
    {"ODT_WRITE", "", "write data find their rank without the termination that its mode registers have on"},
    {"ODT_HOLD", "ODT high/WR", "ODT low before ODTH4, or before ODTH8 after a write"},
    {"ODT_INITIALISATION", "", "ODT moves in the initialisation, or is high when RTT_NOM is switched on"},
    {"BANK_OPEN", "ACT", "activate of a bank that has an open row"},
    {"BANK_CLOSED", "", "read or write of a bank that has no open row"},
    {"REFRESH_BANK_OPEN", "ACT", "refresh of a rank that has an open row"},
    {"MODE_BANK_OPEN", "ACT", "mode register set of a rank that has an open row"},
    {"ZQ_BANK_OPEN", "ACT", "ZQ calibration of a rank that has an open row"},
    {"READ_PHASE", "", "read outside the PHY's read phase"},
    {"WRITE_PHASE", "", "write outside the PHY's write phase"},
    {"READ_ENABLE", "", "rddata_en without a read or a read without rddata_en"},
    {"WRITE_ENABLE", "", "wrdata_en without a write or a write without wrdata_en"},
    {"ROW_ADDRESS", "", "row address beyond the rows of the rank"},
    {"COLUMN_ADDRESS", "", "column address beyond the row, or not that of a whole burst"},
    {"RANK_CONFLICT", "", "one read selects several ranks"},
    {"COMMAND_BUS", "", "a command while the one before is still on the command pins"},
    {"UNKNOWN_COMMAND", "", "mode register set or ZQ calibration of a standard whose the model does not know"},
    {"CKE_LOW", "", "command while CKE is low"},
    {"RESET_LOW", "", "command while RESET# is low"},
}};

}  // namespace

const RuleText& text(Rule rule) { return kTexts[static_cast<std::size_t>(rule)]; }

}  // namespace weir::dram
