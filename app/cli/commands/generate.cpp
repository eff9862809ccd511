#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/generate/generation_report.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/generate/conversation.h"
#include "inspector/format/json_text.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/utf8.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;
using inspector::format::jsonLine;

/// Prints a generation as it progresses: its text, or one line of JSON per event.
class Stream {
  public:
    Stream(Console& out, const tasks::Conversation& of, OutputFormat format, bool echo)
        : console(out), conversation(of) {
        if (format == OutputFormat::Text) {
            if (echo) {
                told.prompted = [this](const tasks::Generation& generation) { put(generation.prompt); };
            }
            told.text = [this](std::string_view text) { put(text); };
        } else if (format == OutputFormat::JsonLines) {
            told.prompted = [this](const tasks::Generation& generation) {
                if (const auto event = output::promptEvent(conversation, generation)) {
                    put(jsonLine(*event));
                } else {
                    written = std::unexpected(event.error());
                }
            };
            told.token = [this](const tasks::GeneratedToken& token, std::string_view text) {
                put(jsonLine(output::tokenEvent(token, text)));
            };
        }
    }
    [[nodiscard]] const tasks::GenerationListener& listener() const { return told; }
    /// The first write error.
    [[nodiscard]] Result<> result() { return std::move(written); }

  private:
    void put(std::string_view text) {
        if (written) {
            written = console.out(text);
        }
    }

    Console& console;
    const tasks::Conversation& conversation;
    tasks::GenerationListener told;
    Result<> written;
};

/// Generates text with a language model.
class GenerateCommand final : public Command {
  public:
    GenerateCommand() : Command("generate", "Generate text with a language model, and measure speed") {}

    [[nodiscard]] std::string details() const override {
        return "Runs programs as ExecuTorch exports language models: forward(tokens, input_pos), or prefill "
               "and decode, with or without a KV cache; and multimodal models: token_embedding, "
               "vision_encoder, "
               "audio_encoder and text_decoder, in one program or several. Without --prompt, every line of "
               "stdin is a prompt "
               "that continues after the previous answer and keeps the cache. Text goes to stdout as it is "
               "generated, measurements to stderr. BOS is added only with --bos. The first token is "
               "always the most likely one; temperature applies from the second token on. Ctrl-C ends the "
               "generation and keeps the measurements.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect generate model.pte --tokenizer tokenizer.json --prompt 'Once upon a time' --bos 1",
             "Continue a text with greedy decoding"},
            {"et-inspect generate model.pte --tokenizer tokenizer.model --prompt @prompt.txt --max-tokens 64 "
             "--temperature 0.8 --seed 7 --format json",
             "Sample 64 tokens after a prompt from a file, for scripts"},
            {"et-inspect generate model.pte --tokenizer tokenizer.json --prompt Hello --etdump trace.etdp",
             "Record a trace with executions marked as prefill or decode"},
            {"et-inspect generate model.pte --tokenizer tokenizer.json --chat-template "
             "'<|user|>\\n{prompt}<|end|>\\n<|assistant|>\\n'",
             "Chat on stdin"},
            {"et-inspect generate text_decoder.pte --vision-encoder vision_encoder.pte --tokenizer "
             "tokenizer.json --image photo.png --prompt 'What is <image>?'",
             "Ask about an image"},
            {"et-inspect generate model.pte --tokenizer tokenizer.json --chat-template auto --system 'Be "
             "brief.'",
             "Chat with the model's own template"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<> converse(Console& console, tasks::Conversation& conversation,
                                    tasks::ProgressReporter& watch);
    [[nodiscard]] Result<> say(Console& console, tasks::Conversation& conversation, std::string_view text,
                               tasks::ProgressReporter& watch);

    tasks::GenerateSettings settings;
    tasks::ProgressOptions progress{.mode = tasks::ProgressMode::None};
    OutputFormat format = OutputFormat::Text;
    bool echo = false;
    bool verbose = false;
    fs::path observer;
    std::string observerLines;
};

void GenerateCommand::addOptions(OptionList& options) {
    tasks::addGenerateOptions(options, settings);
    options.path("--observer FILE", observer,
                 "Write the PyTorchObserver line of ExecuTorch's runner to this file");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json, OutputFormat::JsonLines},
              "Output format; jsonl: one line per token as it is generated");
    options.flag("--echo", echo, "Print the prompt before the answer (text)");
    options.flag("--verbose", verbose,
                 "Print each step of pre-processing of images and sounds: dtype, shape, range (text)");
    tasks::addSurpriseOption(options, settings);
    addProgressOptions(options, progress);
}

Result<> GenerateCommand::say(Console& console, tasks::Conversation& conversation, std::string_view text,
                              tasks::ProgressReporter& watch) {
    Stream stream(console, conversation, format, echo);
    auto said = conversation.say(text, watch, stream.listener());
    ET_TRY(stream.result());
    ET_ASSIGN(const tasks::Generation generation, std::move(said));
    observerLines +=
        tasks::observerLine(generation, conversation.language().loadStart, conversation.language().loadEnd) +
        "\n";
    if (format == OutputFormat::Text) {
        ET_TRY(console.out("\n"));
        ET_ASSIGN(const std::string figures, output::generationText(conversation, generation));
        std::cerr << (verbose ? output::mediaStepsText(generation) : std::string()) << figures << std::flush;
        return {};
    }
    ET_ASSIGN(auto report, output::generationReport(settings, conversation, generation));
    if (format == OutputFormat::JsonLines) {
        report.emplace(report.begin(), "event", std::string("end"));
    }
    return console.out(jsonLine(report));
}

Result<> GenerateCommand::converse(Console& console, tasks::Conversation& conversation,
                                   tasks::ProgressReporter& watch) {
    for (const std::string& prompt : settings.prompts) {
        if (!tasks::InterruptionGuard::requested()) {
            ET_TRY(say(console, conversation, prompt, watch));
        }
    }
    if (!settings.prompts.empty()) {
        return {};
    }
    std::string line;
    while (!tasks::InterruptionGuard::requested() && std::getline(std::cin, line)) {
        ET_TRY(say(console, conversation, line, watch));
    }
    return {};
}

/// Returns the text of a file. Errors: Io, Format (not UTF-8; the message gives the position).
Result<std::string> readPrompt(const std::string& path) {
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    const core::Bytes bytes = file->bytes();
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string repaired = core::utf8Repaired(text);
    if (const auto differs = std::ranges::mismatch(text, repaired).in1; differs != text.end()) {
        return core::fail(core::ErrorCode::Format, "the text is not UTF-8",
                          {.file = path, .offset = static_cast<std::uint64_t>(differs - text.begin())});
    }
    return text;
}

Result<tasks::ExitCode> GenerateCommand::run(const Invocation& invocation) {
    Console& console = invocation.console;
    for (std::string& prompt : settings.prompts) {
        if (prompt.starts_with('@')) {
            ET_ASSIGN(prompt, readPrompt(prompt.substr(1)));
        }
    }
    ET_TRY(confineModel(console, settings.model, {.files = {settings.trace, observer}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.model.timeoutSeconds, settings.model.executionSeconds);
    ET_ASSIGN(const auto conversation, tasks::Conversation::open(settings));
    console.warnAll(conversation->warnings());
    auto talked = converse(console, *conversation, watch);
    watch.finish();
    auto finished = conversation->finish();
    ET_TRY(std::move(talked));
    ET_TRY(std::move(finished));
    if (!observer.empty()) {
        ET_TRY(tasks::writeFile(observer, tasks::producerOf(observerLines)));
    }
    return unlessInterrupted(console, tasks::ExitCode::Fine);
}

}  // namespace

const CommandFactory makeGenerateCommand = newCommand<GenerateCommand>;

}  // namespace et::cli
