#pragma once

#include <QString>
#include <QStringList>

#include <filesystem>

namespace et::studio {

/// What is asked of a generation.
struct GenerateRequest {
    std::filesystem::path model;  ///< program or bundled program
    std::filesystem::path tensorData;
    std::filesystem::path tokenizer;
    QString prompt;
    QString chatTemplate;  ///< empty: the prompt alone
    int bos = 0;           ///< tokens before the prompt
    int maxTokens = 0;     ///< 0: until the context is full
    bool ignoreEnd = false;
    double temperature = 0;
    double topP = 0.9;
    int topK = 0;
    int seed = 0;
    int threads = 1;
};

/// The arguments of et-inspect for it, a verb first; the trace comes to `trace`. A prompt that would stand
/// for a file is taken from `promptFile`, which the caller writes.
[[nodiscard]] QStringList argumentsOf(const GenerateRequest& request, const std::filesystem::path& trace,
                                      const std::filesystem::path& promptFile);

/// Whether the prompt, as an argument, would be the name of a file.
[[nodiscard]] bool needsPromptFile(const GenerateRequest& request);

/// The tokenizer beside a model under one of the names that exporters give it; empty: none is there.
[[nodiscard]] std::filesystem::path tokenizerBeside(const std::filesystem::path& model);

}  // namespace et::studio
