#pragma once

#include <et_inspect/api.h>
#include <et_inspect/result.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et_inspect {

/// Settings of a conversation, with the names and defaults of et_inspect.generate() in Python.
struct ConversationOptions {
    std::size_t max_tokens = 0;        ///< of an answer; 0: until the context is full
    std::size_t seq_len = 0;           ///< maximum tokens of all turns together; 0: the context
    std::size_t start_position = 0;    ///< of the first prompt
    std::size_t bos = 0;               ///< BOS tokens before the first prompt
    std::vector<std::uint32_t> eos{};  ///< end tokens; empty: the program's, else the tokenizer's
    bool ignore_eos = false;           ///< continue after an end token
    std::vector<std::string> stops{};  ///< an answer ends before these texts
    /// Empty: prompts are unchanged. Otherwise a text with {prompt}, a Jinja template, "@FILE" with one, or
    /// "auto": the template next to the tokenizer.
    std::string chat_template{};
    std::string system{};           ///< first message of a Jinja template
    std::size_t prefill_chunk = 0;  ///< maximum tokens per prefill call; 0: as many as the program allows
    bool warmup = false;            ///< run both methods once before the first prompt
    double temperature = 0;         ///< 0: the most likely token
    double top_p = 0.9;             ///< sample from the most likely tokens with this total probability
    std::size_t top_k = 0;          ///< not 0: sample from this many most likely tokens instead
    std::uint64_t seed = 0;         ///< of the sampler
    bool surprise = false;          ///< calculate Token::surprise
    std::string etdump{};           ///< file for a trace of all calls; empty: none
    std::size_t threads = 1;        ///< 0: as many as there are processors
    std::uint64_t memory_limit = std::uint64_t{8} << 30;  ///< in bytes
    std::vector<std::string> data{};                      ///< tensor data (.ptd)
    std::vector<std::string> plugins{};                   ///< shared libraries with operators and backends
    std::vector<std::string> images{};  ///< for "<image>" in the prompts, or before the first prompt
    std::vector<std::string> audio{};   ///< for "<audio>", likewise
    std::string vision_encoder{};       ///< program with this method; empty: the model
    std::string audio_encoder{};
    std::string token_embedding{};
};

/// A generated token. Times in milliseconds.
struct Token {
    std::uint32_t id = 0;
    std::size_t position = 0;  ///< in the context
    double ms = 0;             ///< since the previous token; for the first: since the prompt
    double execute_ms = 0;     ///< of these, in the program
    double sample_ms = 0;      ///< of these, for choosing the token
    double surprise = 0;       ///< -ln of its probability in nats; 0 unless ConversationOptions::surprise
};

/// Reason why an answer ended.
enum class AnswerEnd : std::uint8_t {
    EndToken,
    MaxTokens,
    SequenceLength,
    StopText,
    ContextFull,
    Interrupted
};
/// "end token", "max tokens", …
ET_INSPECT_API std::string_view name(AnswerEnd end);

/// Times of an answer in milliseconds, without those of the caller's functions. Rates in tokens per second;
/// 0: not measured.
struct Statistics {
    double load_ms = 0;         ///< files and methods, once
    double tokenize_ms = 0;     ///< the prompt
    double prefill_ms = 0;      ///< from the prompt's tokens to the logits of the last one
    double first_token_ms = 0;  ///< from the prompt to the first token
    double decode_ms = 0;       ///< from the first token to the last
    double sample_ms = 0;       ///< of decode, for choosing tokens
    double execute_ms = 0;      ///< of decode, in the program
    double total_ms = 0;
    double prefill_rate = 0;
    double decode_rate = 0;
    std::size_t prompt_tokens = 0;
    std::size_t generated_tokens = 0;
};

struct Answer {
    std::string text{};                ///< up to a stop text
    std::vector<std::uint32_t> ids{};  ///< of the generated tokens
    std::vector<Token> tokens{};
    std::vector<std::uint32_t> prompt_ids{};
    AnswerEnd end = AnswerEnd::MaxTokens;
    std::size_t position = 0;  ///< number of cached positions: where the next prompt starts
    Statistics statistics;
};

/// A language model with its tokenizer and the conversation so far: each prompt continues after the previous
/// answer, and the cache is kept. Not thread-safe, except stop().
///
///     auto chat = et_inspect::Conversation::open("llama.pte", "tokenizer.json").value();
///     auto answer = chat.say("Hello", [](std::string_view text) { std::cout << text << std::flush; });
class ET_INSPECT_API Conversation {
  public:
    /// `tokenizer`: tokenizer.json or its folder, a SentencePiece model, tiktoken ranks, tekken.json or
    /// tokenizer.bin. Errors: those of the files; Unsupported (no language model, a missing operator or
    /// backend), InvalidArgument (an option).
    static Result<Conversation> open(const std::string& program, const std::string& tokenizer,
                                     const ConversationOptions& options = {});
    ~Conversation();
    Conversation(Conversation&&) noexcept;
    Conversation& operator=(Conversation&&) noexcept;
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;

    /// Generates an answer. `on_text` is called for each piece of new text. Errors: InvalidArgument (a prompt
    /// without tokens, or with more than fit the context), those of the tokenizer and of the program.
    Result<Answer> say(std::string_view prompt, const std::function<void(std::string_view)>& on_text = {});
    /// Ends the current answer, which is returned as far as it goes, or the next one. May be called from
    /// another thread, a signal handler or `on_text`.
    void stop();
    /// Starts another conversation with the same settings.
    Result<void> reset();
    /// Completes the trace of ConversationOptions::etdump.
    Result<void> finish_trace();

    Result<std::vector<std::uint32_t>> encode(std::string_view text) const;
    Result<std::string> decode(std::span<const std::uint32_t> ids) const;
    std::size_t context_length() const;   ///< in tokens
    std::size_t vocabulary_size() const;  ///< of the program
    std::size_t position() const;         ///< number of cached positions
    /// Inconsistencies that do not prevent running, such as a tokenizer with another number of tokens.
    std::vector<std::string> warnings() const;

  private:
    struct Impl;
    explicit Conversation(std::unique_ptr<Impl> content);
    std::unique_ptr<Impl> impl;
};

}  // namespace et_inspect
