#pragma once

#include "inspector/explain/log_scanner.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::inspector {

/// Facts about a failure, by name: fields of messages ("op", "input"), what follows from them
/// ("op.library", "code.name"), and what the program contains ("program.operator").
using Facts = std::map<std::string, std::string, std::less<>>;

/// Whether all terms hold (Cause::when). A term that is not understood does not hold.
[[nodiscard]] bool holds(std::string_view terms, const Facts& facts, const LogContent& log);
/// Whether a message is in the log, or a fact is named, for tests of the tables.
[[nodiscard]] std::optional<std::string> firstUnknownName(std::string_view terms,
                                                          std::span<const std::string_view> facts);

/// Replaces {field}; parts in [[ ]] are omitted if a field in them is unknown. Nothing: a field outside of
/// them is unknown.
[[nodiscard]] std::optional<std::string> expanded(std::string_view text, const Facts& facts);

/// Adds what follows from the fields of messages: names of codes, libraries of operators, names of dtypes.
void addDerivedFacts(Facts& facts);
/// Names of the facts that addDerivedFacts() may add.
[[nodiscard]] std::span<const std::string_view> derivedFacts();

}  // namespace et::inspector
