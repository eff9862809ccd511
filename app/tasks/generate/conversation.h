#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/generate/chat_prompts.h"
#include "app/tasks/generate/generation.h"
#include "app/tasks/generate/language_model.h"
#include "app/tasks/generate/prompt_media.h"
#include "etdump/recorder.h"
#include "inspector/generate/sampler.h"
#include "inspector/names/phase_mark.h"
#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

class OptionList;

/// Settings of a text generation.
struct GenerateSettings {
    std::filesystem::path program;
    std::filesystem::path tokenizer;
    EncoderFiles encoders;                      ///< further programs of a multimodal model
    std::vector<std::filesystem::path> images;  ///< for "<image>" in the prompts, see PromptMedia
    std::vector<std::filesystem::path> sounds;  ///< for "<audio>"
    std::vector<std::string> prompts;  ///< for the caller of say(), a turn each; "@FILE": in this file
    ModelOptions model;
    std::filesystem::path trace;  ///< empty: not recorded
    std::optional<std::size_t> maxEvents;
    std::size_t maxTokens = 0;       ///< of an answer; 0: until the context is full
    std::size_t sequenceLength = 0;  ///< maximum tokens of all turns together; 0: the context
    std::size_t startPosition = 0;   ///< of the first prompt
    bool warmup = false;             ///< run both methods once before
    std::size_t bos = 0;             ///< BOS tokens before the first prompt
    std::size_t chunk = 0;           ///< maximum tokens per prefill call; 0: as many as the program allows
    std::vector<inspector::TokenId> ends;  ///< end tokens; empty: the program's, else the tokenizer's
    bool ignoreEos = false;
    std::vector<std::string> stops;
    inspector::SamplerSettings sampler;
    bool surprise = false;  ///< calculate GeneratedToken::surprise
    ChatSettings chat{};    ///< conversion of prompts
};

/// Adds all options except those of the output format.
void addGenerateOptions(OptionList& options, GenerateSettings& settings);
/// Adds --surprise.
void addSurpriseOption(OptionList& options, GenerateSettings& settings);

/// Callbacks during a generation. Their time is excluded from the times between tokens. Each may be empty.
struct GenerationListener {
    std::function<void(const Generation&)> prompted{};  ///< the prompt is tokenized, and nothing has run yet
    std::function<void(std::string_view)> text{};       ///< new text
    /// A token and the text that it completed: a character made of several tokens belongs to the last.
    std::function<void(const GeneratedToken&, std::string_view)> token{};
};

/// Opens the files of a model, without loading methods.
using ModelOpener = std::function<core::Result<std::unique_ptr<Model>>()>;

/// A language model, its tokenizer, and the conversation so far: each prompt continues after the previous
/// answer, and the cache is kept.
class Conversation {
  public:
    /// Errors: those of opening the files; InvalidArgument (a start position outside the context, or of a
    /// program without a cache).
    [[nodiscard]] static core::Result<std::unique_ptr<Conversation>> open(const GenerateSettings& settings);
    /// The same with a model that `opener` opens instead of Model::prepare().
    [[nodiscard]] static core::Result<std::unique_ptr<Conversation>> open(const GenerateSettings& settings,
                                                                          const ModelOpener& opener);
    /// Starts another conversation with the same settings: reloads the methods. Errors: those of the program.
    [[nodiscard]] core::Result<> restart();

    /// Generates an answer; if InterruptionGuard requests an end, returns the result so far. Errors:
    /// InvalidArgument (a prompt without tokens, or with more than fit the context), those of the tokenizer
    /// and of the program.
    [[nodiscard]] core::Result<Generation> say(std::string_view prompt, ProgressReporter& watch,
                                               const GenerationListener& listener);
    /// Completes the trace. Errors: Io, Limit.
    [[nodiscard]] core::Result<> finish();

    [[nodiscard]] const LanguageModel& language() const { return *loaded; }
    [[nodiscard]] const inspector::Tokenizer& tokenizer() const { return *words; }
    [[nodiscard]] const etdump::Recorder* trace() const { return recorder.get(); }
    /// Inconsistencies that do not prevent running.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return oddities; }

  private:
    Conversation() = default;
    [[nodiscard]] core::Result<> begin();
    [[nodiscard]] std::vector<inspector::TokenId> endTokens() const;
    [[nodiscard]] std::size_t length() const;
    [[nodiscard]] core::Result<std::vector<inspector::TokenId>> bosIds() const;
    [[nodiscard]] core::Result<> readPrompt(std::string_view prompt, Generation& generation);
    [[nodiscard]] core::Result<> checkMedia() const;
    [[nodiscard]] core::Result<> checkRoom(std::size_t tokens) const;
    [[nodiscard]] core::Result<> prefill(Generation& generation);
    [[nodiscard]] core::Result<> prefillTokens(Generation& generation, std::span<const std::uint32_t> tokens);
    [[nodiscard]] core::Result<> prefillMedia(Generation& generation, MediaPart& part);
    [[nodiscard]] core::Result<> decode(Generation& generation, class TextOut& out, ProgressReporter& watch);
    void addToken(Generation& generation, std::uint32_t id, std::uint64_t executing,
                  std::uint64_t sampleStart);
    [[nodiscard]] core::Result<> tell(GeneratedToken& token, class TextOut& out,
                                      std::span<const float> choices);
    void mark(const inspector::PhaseMark& what, std::uint64_t start, std::uint64_t end);
    void markCalls(const Generation& generation);
    void findOddities();

    GenerateSettings settings;
    std::unique_ptr<etdump::Recorder> recorder;  ///< null: no trace
    std::unique_ptr<LanguageModel> loaded;
    std::unique_ptr<inspector::Tokenizer> words;
    std::optional<ChatPrompts> prompts;
    PromptMedia media;
    std::optional<inspector::Sampler> sampler;
    std::vector<inspector::TokenId> ends;     ///< end a generation
    std::vector<inspector::TokenId> pending;  ///< generated, but not in the cache yet
    std::vector<std::string> oddities;
    inspector::Logits logits;  ///< of the last call
    struct Mark {
        std::string name;
        std::uint64_t start = 0, end = 0;
    };
    std::vector<Mark> marks;
    std::size_t prefillCalls = 0, decodeCalls = 0, encodeCalls = 0, turns = 0;
    std::uint64_t resumed = 0;  ///< start of the time to the next token
};

}  // namespace et::tasks
