#pragma once

#include "bundled_program/verify.h"
#include "inspector/findings/summary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::inspector {

/// A short answer to a question about a session.
struct Answer {
    enum class Mood : std::uint8_t { Plain, Good, Bad };
    std::string question;  ///< "Time", "Correct?", "Memory", "Changed?"
    std::string value;     ///< "345.2 µs"; "–" if unknown
    std::string detail;    ///< more about the value; if it is unknown, how to get it
    Mood mood = Mood::Plain;
    /// Index into Answers::slowest of the operator that `detail` names.
    std::optional<std::size_t> operatorAt{};
};

struct Answers {
    std::vector<Answer> tiles;  ///< time, correctness, memory, change
    /// As Summary::slowest.
    std::vector<events::SlowOperator> slowest;
    TimeScale scale = TimeScale::Milliseconds;  ///< of `slowest`
};

/// Answers the questions from the session, its summary and the verdicts of tests that have been run (empty:
/// none). "Changed?" compares the session's trace (A) with the most recently added one (B).
[[nodiscard]] Answers answers(const Session& session, const Summary& summary,
                              std::span<const bundled_program::CaseReport> verdicts);

/// Returns the hint to add the program, which names the operators inside delegates; empty unless the session
/// has a trace that calls delegates and a record, but no program.
[[nodiscard]] std::string missingProgramHint(const Session& session);

}  // namespace et::inspector
