#pragma once

#include "app/tasks/language/language_model.h"
#include "app/tasks/language/logit_source.h"
#include "app/tasks/run/watch.h"
#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

enum class CheckVerdict : std::uint8_t { Pass, Fail, Skipped };
[[nodiscard]] std::string_view checkVerdictName(CheckVerdict verdict);

/// One thing that was asked of a language model, and what came out.
struct LanguageCheck {
    std::string name;  ///< "metadata", "chunks", ...
    CheckVerdict verdict = CheckVerdict::Pass;
    std::string message;  ///< one line
    std::string phase{};  ///< "prefill", "decode"; empty: of no phase
    std::optional<std::size_t> position{};
    std::optional<std::size_t> layer{};
    std::string place{};               ///< an operator, a module or a key of the metadata; empty: not known
    std::optional<double> measured{};  ///< and its limit, where there is one
    std::optional<double> limit{};
};

struct LanguageCheckSettings {
    std::filesystem::path program;
    std::filesystem::path tokenizer;  ///< empty: none, the tokens are made up
    ModelOptions model;               ///< with the record; empty: none
    std::size_t tokens = 24;          ///< of the text that is tried
};

/// All checks, in the order in which they were made. Errors: those of the files; Cancelled.
[[nodiscard]] core::Result<std::vector<LanguageCheck>> checkLanguage(const LanguageCheckSettings& settings,
                                                                     Watch& watch);

/// What a program says of itself, against what it is and what the tokenizer (null: none) says.
[[nodiscard]] std::vector<LanguageCheck> checkMetadata(const LanguageModel& language,
                                                       const std::vector<inspector::CacheTensor>& caches,
                                                       const inspector::Tokenizer* tokenizer);

/// Whether a quantized weight of a layer is several times larger or smaller than all others, or than those
/// that have its place in other layers: what a wrong scale looks like where nothing says what is right.
[[nodiscard]] std::vector<LanguageCheck> checkWeights(const LanguageModel& language);

/// What the checks that run the program share.
struct CheckGround {
    LanguageModel& language;
    std::vector<std::uint32_t> tokens;
    Watch& watch;
};
/// Which positions of the caches calls write, that phases agree, that runs repeat, and that positions beyond
/// the context are refused.
[[nodiscard]] core::Result<std::vector<LanguageCheck>> checkRuns(const CheckGround& ground);
/// Against the graph of a record, call by call; where they part, by cache and by operator.
[[nodiscard]] core::Result<std::vector<LanguageCheck>> checkRecord(const CheckGround& ground,
                                                                   RecordLogits& record);

}  // namespace et::app
