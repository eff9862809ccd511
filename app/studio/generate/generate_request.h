#pragma once

#include <QString>
#include <QStringList>

#include <filesystem>

namespace et::studio {

/// Options of a generation.
struct GenerateRequest {
    std::filesystem::path model;  ///< program or bundled program
    std::filesystem::path tensorData;
    std::filesystem::path tokenizer;
    QString prompt;
    QString chatTemplate;  ///< empty: the prompt without a template
    int bos = 0;           ///< tokens before the prompt
    int maxTokens = 0;     ///< 0: until the context is full
    bool ignoreEnd = false;
    double temperature = 0;
    double topP = 0.9;
    int topK = 0;
    int seed = 0;
    int threads = 1;
};

/// Returns the arguments of et-inspect for a request, starting with the command; the trace is written to
/// `trace`. A prompt that would be parsed as a file name is read from `promptFile`, which the caller writes.
[[nodiscard]] QStringList argumentsOf(const GenerateRequest& request, const std::filesystem::path& trace,
                                      const std::filesystem::path& promptFile);

/// True if the prompt, as an argument, would be parsed as a file name.
[[nodiscard]] bool needsPromptFile(const GenerateRequest& request);

/// Returns the tokenizer next to a model, under one of the names used by exporters; empty if there is none.
[[nodiscard]] std::filesystem::path tokenizerBeside(const std::filesystem::path& model);

}  // namespace et::studio
