#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/generate/language_model.h"
#include "app/tasks/generate/logit_source.h"
#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

enum class CheckVerdict : std::uint8_t { Pass, Fail, Skipped };
[[nodiscard]] std::string_view checkVerdictName(CheckVerdict verdict);

/// A check of a language model and its result.
struct LanguageCheck {
    std::string name;  ///< "metadata", "chunks", ...
    CheckVerdict verdict = CheckVerdict::Pass;
    std::string message;  ///< one line
    std::string phase{};  ///< "prefill", "decode"; empty: not specific to a phase
    std::optional<std::size_t> position{};
    std::optional<std::size_t> layer{};
    std::string place{};               ///< an operator, a module or a key of the metadata; empty: unknown
    std::optional<double> measured{};  ///< with its limit, if there is one
    std::optional<double> limit{};
};

struct LanguageCheckSettings {
    std::filesystem::path program;
    std::filesystem::path tokenizer;  ///< empty: none, tokens are made up
    ModelOptions model;               ///< includes the record, if any
    std::size_t tokens = 24;          ///< length of the test text
};

/// Runs all checks and returns them in order. Errors: those of opening the files; Cancelled.
[[nodiscard]] core::Result<std::vector<LanguageCheck>> checkLanguage(const LanguageCheckSettings& settings,
                                                                     ProgressReporter& watch);

/// Checks a program's metadata against its properties and those of the tokenizer (null: none).
[[nodiscard]] std::vector<LanguageCheck> checkMetadata(const LanguageModel& language,
                                                       const std::vector<inspector::CacheTensor>& caches,
                                                       const inspector::Tokenizer* tokenizer);

/// Checks whether a quantized weight of a layer is several times larger or smaller than all others, or than
/// the corresponding ones in other layers: the sign of a wrong scale if there is no reference.
[[nodiscard]] std::vector<LanguageCheck> checkWeights(const LanguageModel& language);

/// Context shared by the checks that run the program.
struct CheckContext {
    LanguageModel& language;
    std::vector<std::uint32_t> tokens;
    ProgressReporter& watch;
};
/// Checks which cache positions calls write, that phases agree, that runs are reproducible, and that
/// positions beyond the context are rejected.
[[nodiscard]] core::Result<std::vector<LanguageCheck>> checkRuns(const CheckContext& ground);
/// Checks the positions that calls write to caches outside the program: those of their tokens, once, within
/// the capacity, and again from 0 in another conversation. Empty if there are no such caches.
[[nodiscard]] core::Result<std::vector<LanguageCheck>> checkCachePositions(const CheckContext& ground);
/// Compares calls with the graph of a record; differences are located by cache and by operator.
[[nodiscard]] core::Result<std::vector<LanguageCheck>> checkRecord(const CheckContext& ground,
                                                                   RecordLogits& record);

}  // namespace et::tasks
