// SPDX-License-Identifier: Apache-2.0
#include "features.hpp"

#include <set>
#include <sstream>
#include <stdexcept>

#include "part.hpp"

namespace weir::dram {
namespace {

constexpr const char* kKnown =
    "known: refresh=none, fine_refresh=2 or 4, on_the_fly, optimistic_trfc, extended_temperature, time_scale=1 to 64, "
    "refresh_groups=2 or 4";

[[noreturn]] void refuse(const std::string& place, const std::string& what) {
  throw std::invalid_argument(place + ": " + what);
}

/// A number of at most four digits.
int number(const std::string& digits, const std::string& item, const std::string& place) {
  if (digits.empty() || digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string::npos)
    refuse(place, "'" + item + "': a number must follow the '='");
  return std::stoi(digits);
}

}  // namespace

Features Features::parse(const std::string& text, const std::string& place) {
  Features f;
  if (text.empty()) return f;
  std::set<std::string> seen;
  std::istringstream items(text);
  if (text.back() == ',') refuse(place, "'" + text + "': an item is missing after the last ','");
  for (std::string item; std::getline(items, item, ',');) {
    const std::size_t equals = item.find('=');
    const std::string key = item.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : item.substr(equals + 1);
    if (!seen.insert(key).second) refuse(place, "'" + item + "': " + key + " is given twice");
    const bool bare = equals == std::string::npos;
    if (item == "refresh=none")
      f.refresh = false;
    else if (key == "fine_refresh" && !bare)
      f.fineRefresh = number(value, item, place);
    else if (key == "time_scale" && !bare)
      f.timeScale = number(value, item, place);
    else if (key == "refresh_groups" && !bare)
      f.refreshGroups = number(value, item, place);
    else if (item == "on_the_fly")
      f.onTheFly = true;
    else if (item == "optimistic_trfc")
      f.optimisticRfc = true;
    else if (item == "extended_temperature")
      f.extendedTemperature = true;
    else
      refuse(place, "'" + item + "' is no feature; " + kKnown);
    if (key == "refresh_groups" && f.refreshGroups == 1) refuse(place, "refresh_groups = 1: must be 2 or 4");
    if (key == "fine_refresh" && f.fineRefresh == 1) refuse(place, "fine_refresh = 1: must be 2 or 4");
  }
  return f;
}

std::string Features::text() const {
  std::string out;
  const auto item = [&](bool has, const std::string& name) {
    if (has) out += (out.empty() ? "" : ",") + name;
  };
  item(!refresh, "refresh=none");
  item(fineRefresh != 1, "fine_refresh=" + std::to_string(fineRefresh));
  item(onTheFly, "on_the_fly");
  item(optimisticRfc, "optimistic_trfc");
  item(extendedTemperature, "extended_temperature");
  item(timeScale != 1, "time_scale=" + std::to_string(timeScale));
  item(refreshGroups != 1, "refresh_groups=" + std::to_string(refreshGroups));
  return out;
}

void Features::validate(const Part& part, bool initialised, const std::string& place) const {
  const std::string fine = "fine_refresh = " + std::to_string(fineRefresh);
  if (fineRefresh != 1 && fineRefresh != 2 && fineRefresh != 4) refuse(place, fine + ": must be 2 or 4");
  if (timeScale < 1 || timeScale > 64) refuse(place, "time_scale = " + std::to_string(timeScale) + ": must be 1 to 64");
  if (refreshGroups != 1 && refreshGroups != 2 && refreshGroups != 4)
    refuse(place, "refresh_groups = " + std::to_string(refreshGroups) + ": must be 2 or 4");
  if (part.standard->sameBankRefresh) {
    // what refreshes apart is one bank of each bank group, in the mode in which refreshes are fine (JESD79-5 4.10.3)
    if (refreshGroups != 1 && refreshGroups != part.banksPerGroup)
      refuse(place, "refresh_groups = " + std::to_string(refreshGroups) + ": must be " +
                        std::to_string(part.banksPerGroup) + ", the banks of a bank group of " + part.name);
    if (refreshGroups != 1 && fineRefresh != 2)
      refuse(place,
             fine + ": must be 2 with refresh_groups, as " + part.name + " has them with fine granularity alone");
    if (onTheFly) refuse(place, "on_the_fly: " + part.name + " has none");
  }
  if (onTheFly && fineRefresh == 1) refuse(place, "on_the_fly: needs fine_refresh");
  if (fineRefresh == 1) return;
  if (!refresh) refuse(place, fine + ": a memory with refresh=none has no refresh");
  if (part.tRFC2.picoseconds == 0 && !optimisticRfc)
    refuse(place, fine + ": " + part.name + " has no tRFC" + std::to_string(fineRefresh) + "; needs optimistic_trfc");
  if (fineRefresh == 4 && part.tRFC4.picoseconds == 0 && !optimisticRfc)
    refuse(place, fine + ": " + part.name + " has no tRFC4; needs optimistic_trfc");
  if (part.standard == &kDdr4 && !initialised)
    refuse(place, fine + ": with INITIALISED = 0 mode register 3 of " + part.name + " chooses it");
}

Part Features::refreshed(Part p) const {
  if (extendedTemperature && !p.extendedTemperature) {
    p.extendedTemperature = true;
    p.tREFI.picoseconds /= 2;
    p.tREFW.picoseconds /= 2;
  }
  if (optimisticRfc) {
    p.tRFC2 = {(p.tRFC.picoseconds + 1) / 2, 0};
    p.tRFC4 = {(p.tRFC.picoseconds + 3) / 4, 0};
  }
  p.tREFI.picoseconds *= timeScale;
  p.tREFW.picoseconds *= timeScale;
  return p;
}

}  // namespace weir::dram
