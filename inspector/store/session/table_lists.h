#pragma once

#include "inspector/store/session/session_tables.h"

#include <span>

// The tables by topic; sessionTables() lists all.
namespace et::inspector::store {

[[nodiscard]] std::span<const SessionTable> fileTables();
[[nodiscard]] std::span<const SessionTable> programTables();
[[nodiscard]] std::span<const SessionTable> graphTables();
[[nodiscard]] std::span<const SessionTable> traceTables();
[[nodiscard]] std::span<const SessionTable> testTables();
[[nodiscard]] std::span<const SessionTable> verdictTables();

}  // namespace et::inspector::store
