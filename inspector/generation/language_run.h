#pragma once

#include "inspector/generation/language_form.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace et::inspector {

enum class LanguagePhase : std::uint8_t { Prefill, Decode };

/// One execution of a method.
struct StepCall {
    LanguagePhase phase = LanguagePhase::Prefill;
    std::size_t position = 0;  ///< of the first token
    std::size_t tokens = 0;
    std::uint64_t start = 0;  ///< of core::EventTracer::now(): before the inputs are set
    std::uint64_t end = 0;    ///< when the logits are there
    std::uint64_t executionStart = 0;
    std::uint64_t executionEnd = 0;
};

/// Tokens go in, logits come out; valid until the next call.
struct Logits {
    std::span<const float> values;  ///< rows * vocabulary
    std::size_t rows = 0;           ///< 1: of the last token; else of each token of the call

    [[nodiscard]] std::span<const float> row(std::size_t index) const {
        return values.subspan(index * (values.size() / rows), values.size() / rows);
    }
    [[nodiscard]] std::span<const float> last() const { return row(rows - 1); }
};

/// A language model at a position of a text. Both methods share a module, and so their cache. Takes no memory
/// from call to call once it has seen the longest one.
class LanguageRun {
  public:
    /// Loads the methods and prepares them. `module` and `form` outlive it. Errors: those of Module::load()
    /// and Method::prepare().
    [[nodiscard]] static core::Result<LanguageRun> load(executor::Module& module, const LanguageForm& form);

    /// The tokens behind those that were given before, in as few calls as the program allows and of at most
    /// `chunk` tokens each (0: as many as it takes). `each` hears of every call and its logits. Errors:
    /// Limit (beyond the context), InvalidArgument (no tokens), those of Method.
    [[nodiscard]] core::Result<Logits> prefill(
        std::span<const std::uint32_t> tokens, std::size_t chunk = 0,
        const std::function<void(const StepCall&, const Logits&)>& each = {});
    /// One more token.
    [[nodiscard]] core::Result<Logits> decode(std::uint32_t token);

    /// One call with tokens at any position, as a check needs it: what the form allows is not asked.
    [[nodiscard]] core::Result<Logits> callAt(LanguagePhase phase, std::span<const std::uint32_t> tokens,
                                              std::size_t position);

    [[nodiscard]] std::size_t position() const { return next; }
    /// Goes on from an earlier position, over what the cache has behind it.
    void setPosition(std::size_t position);
    [[nodiscard]] const StepCall& lastCall() const { return call; }
    [[nodiscard]] executor::Method& method(LanguagePhase phase) {
        return phase == LanguagePhase::Prefill ? *prefillMethod : *decodeMethod;
    }
    [[nodiscard]] const LanguageForm& form() const { return *shape; }

  private:
    LanguageRun() = default;
    core::Result<> setInputs(executor::Method& method, const StepMethod& step,
                             std::span<const std::uint32_t> tokens, std::size_t position);
    core::Result<Logits> logitsOf(executor::Method& method, const StepMethod& step);
    [[nodiscard]] core::Result<Logits> advance(LanguagePhase phase, std::span<const std::uint32_t> tokens);
    [[nodiscard]] core::Result<Logits> callWithPast(LanguagePhase phase);
    [[nodiscard]] std::size_t callLength(std::size_t left, std::size_t chunk, LanguagePhase& phase) const;

    const LanguageForm* shape = nullptr;
    executor::Method* prefillMethod = nullptr;
    executor::Method* decodeMethod = nullptr;
    std::size_t next = 0;
    StepCall call;
    std::vector<std::uint32_t> past;  ///< of a program without a cache: all tokens
    std::vector<std::int64_t> tokenNumbers, positionNumbers;
    std::vector<std::int32_t> tokenInts, positionInts;
    std::vector<float> floats;  ///< logits of another dtype
};

}  // namespace et::inspector
