#include "app/tasks/generate/perplexity.h"

#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/generate/perplexity_report.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;

constexpr std::array perplexityFormats{Choice{"table", output::PerplexityFormat::Table},
                                       Choice{"json", output::PerplexityFormat::Json}};

/// Measures how well a language model predicts texts, and where it differs from another one.
class PerplexityCommand final : public Command {
  public:
    PerplexityCommand() : Command("perplexity", "Measure how well a language model predicts texts") {}

    [[nodiscard]] std::string details() const override {
        return "Every token is predicted from all tokens before it, one at a time; texts longer than the "
               "context are cut. Perplexity is exp(mean of -ln p). With --against, predictions are "
               "compared position by position with those of another program or of the ETRecord's graph: KL "
               "divergence (of the program from the reference, in nats), share of equal most likely tokens, "
               "and the first position where they differ.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect perplexity model.pte --tokenizer tokenizer.json text.txt",
                 "Measure the perplexity of a text"},
                {"et-inspect perplexity model_8da4w.pte --tokenizer tokenizer.json text.txt --against "
                 "model_fp32.pte",
                 "Measure the effect of quantization"},
                {"et-inspect perplexity model.pte --tokenizer tokenizer.json rows.jsonl --against "
                 "model.etrecord --format json",
                 "Compare with the exported graph, for scripts"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    fs::path program, tokenizer, reference;
    std::vector<std::string> texts;
    std::size_t bos = 1;
    tasks::ModelOptions model;
    output::PerplexityFormat format = output::PerplexityFormat::Table;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

void PerplexityCommand::addOptions(OptionList& options) {
    addModelFile(options, program);
    options
        .text("TEXT", texts,
              "Texts: files, JSON lines (.jsonl) with \"text\" or \"ids\", or a text itself if it contains a "
              "space")
        .mustBeGiven();
    options.group("Text");
    options.file("--tokenizer", tokenizer, "Tokenizer of the model").mustBeGiven();
    options.integer("--bos", bos, "Number of BOS tokens before each text (default: 1)");
    options.file("--against", reference, "Program or ETRecord to compare with")
        .takesFiles({SessionFile::Program, SessionFile::Bundle, SessionFile::Record});
    options.group("Model");
    addLibraryOptions(options, model);
    addLimitOptions(options, model);
    addTimeout(options, model, "Stop after this time: 90s, 5m");
    addSandbox(options, model);
    options.group("Output");
    options.choice("--format", format, perplexityFormats, "Output format (default: table)");
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

Result<tasks::ExitCode> PerplexityCommand::run(const Invocation& invocation) {
    ET_TRY(confineModel(invocation.console, model, {.files = {output.path}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, model.timeoutSeconds, model.executionSeconds);
    ET_ASSIGN(const auto words, inspector::openTokenizer(tokenizer.string()));
    ET_ASSIGN(auto language, tasks::LanguageModel::open(program, model, nullptr));
    std::optional<inspector::TokenId> programBos;
    if (language->metadata.bos && *language->metadata.bos >= 0) {
        programBos = static_cast<inspector::TokenId>(*language->metadata.bos);
    }
    tasks::ProgramLogits source(program.string(), std::move(language));
    ET_ASSIGN(const std::vector<tasks::Passage> passages,
              tasks::readPassages(texts, *words, bos, programBos));
    std::unique_ptr<tasks::LogitSource> other;
    if (!reference.empty()) {
        ET_ASSIGN(other, tasks::openLogits(reference, model));
    }
    std::vector<tasks::PassageResult> results;
    std::size_t steps = 0;
    for (const tasks::Passage& each : passages) {
        steps += each.ids.size();
    }
    watch.begin("predict", steps);
    for (const tasks::Passage& each : passages) {
        auto predicted = tasks::predictPassage(source, other.get(), each, watch);
        if (!predicted && predicted.error().code == core::ErrorCode::Cancelled) {
            break;
        }
        ET_ASSIGN(tasks::PassageResult result, std::move(predicted));
        results.push_back(std::move(result));
    }
    watch.finish();
    const std::string text = output::renderPerplexity(program.string(), reference.string(), results, format,
                                                      output.style(invocation.console));
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), {program, tokenizer, reference}));
    return unlessInterrupted(invocation.console, tasks::ExitCode::Fine);
}

}  // namespace

const CommandFactory makePerplexityCommand = newCommand<PerplexityCommand>;

}  // namespace et::cli
