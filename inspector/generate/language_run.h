#pragma once

#include "inspector/generate/encoder_run.h"
#include "inspector/generate/language_form.h"
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
    std::uint64_t start = 0;  ///< core::EventTracer::now() before setting the inputs
    std::uint64_t end = 0;    ///< when the logits are available
    std::uint64_t executionStart = 0;
    std::uint64_t executionEnd = 0;
};

/// Logits of a call; valid until the next call.
struct Logits {
    std::span<const float> values;  ///< rows * vocabulary
    std::size_t rows = 0;           ///< 1: of the last token; else one per token of the call

    [[nodiscard]] std::span<const float> row(std::size_t index) const {
        return values.subspan(index * (values.size() / rows), values.size() / rows);
    }
    [[nodiscard]] std::span<const float> last() const { return row(rows - 1); }
};

/// Modules with the encoders of a multimodal model; null: the module of the model itself.
struct EncoderModules {
    executor::Module* tokenEmbedding = nullptr;
    executor::Module* vision = nullptr;
    executor::Module* audio = nullptr;
};

/// A language model at a position in a text. Both methods share a module, and thus their cache. Does not
/// allocate between calls after the longest one.
class LanguageRun {
  public:
    /// Loads and prepares the methods. `module` and `form` must outlive it. Errors: those of Module::load()
    /// and Method::prepare().
    [[nodiscard]] static core::Result<LanguageRun> load(executor::Module& module, const LanguageForm& form,
                                                        const EncoderModules& encoders = {});

    /// Processes the tokens after the earlier ones, in as few calls as the program allows, with at most
    /// `chunk` tokens each (0: no limit of its own). `each` is called for every call with its logits. Errors:
    /// Limit (beyond the context), InvalidArgument (no tokens), those of Method.
    [[nodiscard]] core::Result<Logits> prefill(
        std::span<const std::uint32_t> tokens, std::size_t chunk = 0,
        const std::function<void(const StepCall&, const Logits&)>& each = {});
    /// Processes the output of an encoder: for a text decoder of embeddings, its rows at the next positions,
    /// as prefill(); a sequence-to-sequence decoder gets it in every later call, and returns no logits now.
    [[nodiscard]] core::Result<Logits> prefillEncoded(
        const Embeddings& encoded, std::size_t chunk = 0,
        const std::function<void(const StepCall&, const Logits&)>& each = {});
    /// The encoder of a modality; null: the model has none.
    [[nodiscard]] EncoderRun* encoder(Modality modality);
    /// Processes one more token.
    [[nodiscard]] core::Result<Logits> decode(std::uint32_t token);

    /// Makes one call with tokens at any position, for checks: the form's limits are not enforced.
    [[nodiscard]] core::Result<Logits> callAt(LanguagePhase phase, std::span<const std::uint32_t> tokens,
                                              std::size_t position);

    [[nodiscard]] std::size_t position() const { return next; }
    /// Continues from an earlier position, overwriting later cache entries. If the program counts positions
    /// itself, its state must be the one at that position.
    void setPosition(std::size_t position);
    [[nodiscard]] const StepCall& lastCall() const { return call; }
    [[nodiscard]] executor::Method& method(LanguagePhase phase) {
        return phase == LanguagePhase::Prefill ? *prefillMethod : *decodeMethod;
    }
    [[nodiscard]] const LanguageForm& form() const { return *shape; }
    /// Sets the tracer of all methods; null: none.
    void setTracer(core::EventTracer* tracer);

  private:
    LanguageRun() = default;
    core::Result<> setTokens(executor::Method& method, const StepMethod& step,
                             std::span<const std::uint32_t> tokens);
    core::Result<> setEmbeddings(executor::Method& method, const StepMethod& step, const Embeddings& rows);
    core::Result<> setFurtherInputs(executor::Method& method, const StepMethod& step, std::size_t tokens,
                                    std::size_t position);
    core::Result<Logits> execute(executor::Method& method, const StepMethod& step);
    [[nodiscard]] core::Result<> checkRoom(std::size_t positions) const;
    core::Result<Logits> logitsOf(executor::Method& method, const StepMethod& step);
    [[nodiscard]] core::Result<Logits> advance(LanguagePhase phase, std::span<const std::uint32_t> tokens);
    [[nodiscard]] core::Result<Logits> callWithPast(LanguagePhase phase);
    [[nodiscard]] std::size_t callLength(std::size_t left, std::size_t chunk, LanguagePhase& phase) const;

    const LanguageForm* shape = nullptr;
    executor::Method* prefillMethod = nullptr;
    executor::Method* decodeMethod = nullptr;
    std::optional<EncoderRun> embedding, vision, audio;
    std::vector<std::byte> encodedForAll;  ///< the encoder's output for a sequence-to-sequence decoder
    std::vector<std::int64_t> encodedSizes;
    std::vector<std::byte> converted;  ///< embeddings of another dtype
    std::size_t next = 0;
    StepCall call;
    std::vector<std::uint32_t> past;  ///< all tokens, for a program without a cache
    std::vector<std::int64_t> tokenNumbers, positionNumbers;
    std::vector<std::int32_t> tokenInts, positionInts;
    std::vector<float> floats;  ///< converted logits of another dtype
};

}  // namespace et::inspector
