# SPDX-License-Identifier: Apache-2.0
"""The config that a simulation was built for: its shape, as build/hw/NAME/Weir.json gives it.

Timings are not taken from there: testbench.timing has its own.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from testbench.maps import NAMED, Place


@dataclass(frozen=True)
class Config:
    """Shape of one config of Weir; `base` and `memory_bytes` are bus addresses, `clock_ps` is tCK. Pseudo-ranks are
    `ranks` too; on the DFI their number is above the bank, in as many `bank_pins`."""

    name: str
    part: str
    ports: int
    data_bytes: int
    id_bits: int
    address_bits: int
    base: int
    interleave: bool
    source_id_high: int
    source_id_low: int
    read_slots: int
    channels: int
    map: str
    programmable_map: bool
    ranks: int
    pseudo_ranks: int
    chip_selects: int
    bank_pins: int
    bank_groups: int
    banks: int
    row_bits: int
    column_bits: int
    dq_bits: int
    burst_length: int
    address_pins: int
    clock_ps: int
    cl: int
    cwl: int
    phases: int
    read_phase: int
    write_phase: int
    read_latency: int
    write_latency: int
    read_queue: int
    write_queue: int
    forwarding: bool
    high_water_mark: int
    low_water_mark: int
    age_limit: int
    refresh_postpone: int
    beyond_jedec: bool
    may_read_ahead: bool
    read_registers: int
    counter_bits: int
    odt_by_command: bool
    nvm_first_rank: int | None
    nvm_medium: str | None

    @classmethod
    def load(cls, path: Path) -> "Config":
        fields = json.loads(path.read_text())
        axi, geometry, timing = fields["axi"], fields["geometry"], fields["timing"]
        phy, policies = fields["phy"], fields["policies"]
        return cls(
            name=fields["name"],
            part=fields["part"],
            ports=axi["ports"],
            data_bytes=axi["dataBits"] // 8,
            id_bits=axi["idBits"],
            address_bits=axi["addressBits"],
            base=axi["base"],
            interleave=axi["interleave"],
            source_id_high=axi["sourceIdHigh"],
            source_id_low=axi["sourceIdLow"],
            read_slots=axi["readSlots"],
            channels=fields["channels"],
            map=fields["placement"]["map"],
            programmable_map=fields["placement"]["programmable"],
            ranks=geometry["ranks"],
            pseudo_ranks=fields["derived"]["pseudoRanks"],
            chip_selects=fields["derived"]["chipSelects"],
            bank_pins=fields["derived"]["bankPins"],
            bank_groups=geometry["bankGroups"],
            banks=geometry["bankGroups"] * geometry["banksPerGroup"],
            row_bits=geometry["rowBits"],
            column_bits=geometry["columnBits"],
            dq_bits=geometry["dqBits"],
            burst_length=geometry["burstLength"],
            address_pins=fields["derived"]["addressPins"],
            clock_ps=timing["tCKps"],
            cl=timing["cl"],
            cwl=timing["cwl"],
            phases=phy["phases"],
            read_phase=phy["readPhase"],
            write_phase=phy["writePhase"],
            read_latency=phy["readLatency"],
            write_latency=phy["writeLatency"],
            read_queue=policies["readQueue"],
            write_queue=policies["writeQueue"],
            forwarding=policies["forwarding"],
            high_water_mark=policies["highWaterMark"],
            low_water_mark=policies["lowWaterMark"],
            age_limit=policies["ageLimit"],
            refresh_postpone=policies["refreshPostpone"],
            beyond_jedec=policies["beyondJedec"],
            may_read_ahead=policies["mayReadAhead"],
            read_registers=sum(fields["pipeline"].values()),
            counter_bits=fields["observation"]["counterBits"],
            odt_by_command=fields["odtByCommand"],
            nvm_first_rank=fields.get("nvm", {}).get("firstRank"),
            nvm_medium=fields.get("nvm", {}).get("medium"),
        )

    @property
    def line_bytes(self) -> int:
        """Bytes of a DRAM burst."""
        return self.burst_length * self.dq_bits // 8

    @property
    def row_bytes(self) -> int:
        """Bytes of a row of one bank."""
        return (self.dq_bits << self.column_bits) // 8

    @property
    def block_bytes(self) -> int:
        """Bytes of a line or of a bus word, whichever is more: what beats of other bursts do not come between."""
        return max(self.line_bytes, self.data_bytes)

    @property
    def reads_in_flight(self) -> int:
        """Reads of one block that a port takes before the first is answered."""
        return self.read_slots * self.line_bytes // self.block_bytes

    @property
    def memory_bytes(self) -> int:
        return self.channels * self.row_bytes * self.banks * self.ranks << self.row_bits

    @property
    def all_ranks(self) -> int:
        """Ranks of all channels; they are numbered with the channel above the rank."""
        return self.channels * self.ranks

    @property
    def ddr5(self) -> bool:
        """Whether the part is of DDR5."""
        return self.part.startswith("DDR5")

    @property
    def refresh_groups(self) -> int:
        """Pseudo-ranks that refresh apart, as DDR5 and a DRAM beyond JEDEC do; 1 where ranks refresh as a whole."""
        return self.pseudo_ranks if self.beyond_jedec or self.refreshes_sets else 1

    @property
    def refreshes_sets(self) -> bool:
        """Whether pseudo-ranks are sets of banks that are refreshed by themselves (DDR5's same-bank refresh)."""
        return self.pseudo_ranks > 1 and self.ddr5

    @property
    def refreshed_together(self) -> bool:
        """Whether a refresh, and a precharge of all banks, are for all pseudo-ranks."""
        return self.pseudo_ranks > self.refresh_groups

    def bank(self, group: int, bank: int) -> int:
        """The bank of a rank that is so numbered in its bank group."""
        if self.ddr5:
            return bank * self.bank_groups + group
        return group * (self.banks // self.bank_groups) + bank

    @property
    def most_postponed(self) -> int:
        """Refreshes of what is refreshed apart that may be postponed, and as many pulled in: four of a rank of DDR5."""
        return 4 if self.ddr5 and not self.refreshes_sets else 8

    @property
    def burst_clocks(self) -> int:
        """DRAM clocks that a burst holds the data bus."""
        return self.burst_length // 2

    def group(self, bank: int) -> int:
        """The bank group of a bank of a rank, of which the bank is the lower part; of DDR5 the upper."""
        if self.ddr5:
            return bank % self.bank_groups
        return bank // (self.banks // self.bank_groups)

    @property
    def rank_bits(self) -> int:
        return self.ranks.bit_length() - 1

    @property
    def bank_bits(self) -> int:
        return self.banks.bit_length() - 1

    @property
    def cycle_ps(self) -> int:
        """Period of the controller's clock."""
        return self.clock_ps * self.phases

    def address(self, rank: int = 0, bank: int = 0, row: int = 0, offset: int = 0, channel: int = 0) -> int:
        """Bus address of a byte of a row, by the address map after reset: that of all configs under test is channel,
        row, rank, bank, column, or with an NVM region channel, rank, row, bank, column."""
        if self.map == "rank_row_bank_column":
            rows = ((channel * self.ranks + rank << self.row_bits) + row) * self.banks
        else:
            assert self.map == "row_rank_bank_column"
            rows = ((channel << self.row_bits) + row) * self.ranks * self.banks + rank * self.banks
        return self.base + (rows + bank) * self.row_bytes + offset

    def place(self, address: int, map: str | None = None) -> Place:
        """Where the byte at a bus address lies, by a named map or else that after reset."""
        return NAMED[map or self.map](self, address - self.base)

    def source(self, port: int, id: int) -> int:
        """Source number of an access: the port above the bits of the id that tell sources apart."""
        bits = self.source_id_high - self.source_id_low + 1
        return port << bits | id >> self.source_id_low & (1 << bits) - 1
