#pragma once

#include "inspector/explain/knowledge.h"
#include "inspector/explain/log_facts.h"
#include "inspector/explain/log_scanner.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace et::inspector {

struct ExplainedCause {
    std::string cause;
    std::string evidence;
    std::string remedy;
    Confidence confidence = Confidence::Possible;
};

/// Something about the failure that the log or the program states: "operator", "aten::mean.out".
struct FailureDetail {
    std::string name;
    std::string text;
};

/// The instruction that failed, in the given program.
struct FailurePlace {
    std::string method;
    std::int32_t instruction = 0;
};

struct Explanation {
    bool known = false;     ///< the log contains a known message
    std::string message{};  ///< id of the known message, or empty
    std::string failure;    ///< one sentence
    std::vector<FailureDetail> details{};
    std::vector<ExplainedCause> causes{};  ///< most likely first
    std::vector<std::uint32_t> codes{};    ///< of the runtime, in the order of the log
    std::vector<std::string> send{};       ///< what to report if no cause applies
    std::optional<FailurePlace> place{};
};

/// Supplies facts of a program to a failure, including errors of delegates if it `concernsDelegates`; may be
/// empty.
using AddFacts = std::function<void(Facts& facts, bool concernsDelegates)>;

/// Explains the first failure of a log.
[[nodiscard]] Explanation explain(const LogContent& log, const AddFacts& addProgram = {});

}  // namespace et::inspector
