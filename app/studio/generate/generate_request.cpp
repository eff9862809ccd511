#include "app/studio/generate/generate_request.h"

#include <QFile>

#include <array>
#include <string>
#include <system_error>

namespace et::studio {

namespace {

namespace fs = std::filesystem;

constexpr std::array tokenizerNames{"tokenizer.json", "tokenizer.model", "tekken.json", "tokenizer.bin"};

/// "--name=value", so that a value is never parsed as an option.
void addValue(QStringList& argv, const char* name, const QString& value) {
    argv.append(QStringLiteral("--%1=%2").arg(QLatin1String(name), value));
}

void addGiven(QStringList& argv, const char* name, double value, double usual) {
    if (value != usual) {
        addValue(argv, name, QString::number(value));
    }
}

QString argumentText(const fs::path& path) {
    return QFile::decodeName(path.c_str());
}

}  // namespace

bool needsPromptFile(const GenerateRequest& request) {
    return request.prompt.startsWith(u'@');
}

QStringList argumentsOf(const GenerateRequest& request, const fs::path& trace, const fs::path& promptFile) {
    QStringList argv{QStringLiteral("generate")};
    addValue(argv, "tokenizer", argumentText(request.tokenizer));
    addValue(argv, "prompt",
             needsPromptFile(request) ? QStringLiteral("@%1").arg(argumentText(promptFile)) : request.prompt);
    if (!request.chatTemplate.isEmpty()) {
        addValue(argv, "chat-template", request.chatTemplate);
    }
    addGiven(argv, "bos", request.bos, 0);
    addGiven(argv, "max-tokens", request.maxTokens, 0);
    if (request.ignoreEnd) {
        argv.append(QStringLiteral("--ignore-eos"));
    }
    addGiven(argv, "temperature", request.temperature, 0);
    if (request.temperature > 0) {
        addGiven(argv, "top-p", request.topP, GenerateRequest().topP);
        addGiven(argv, "top-k", request.topK, 0);
        addGiven(argv, "seed", request.seed, 0);
    }
    addGiven(argv, "threads", request.threads, 1);
    if (!request.tensorData.empty()) {
        addValue(argv, "data", argumentText(request.tensorData));
    }
    addValue(argv, "etdump", argumentText(trace));
    argv +=
        {QStringLiteral("--sandbox=auto"), QStringLiteral("--surprise"), QStringLiteral("--format=jsonl")};
    return argv + QStringList{QStringLiteral("--"), argumentText(request.model)};
}

fs::path tokenizerBeside(const fs::path& model) {
    if (model.empty()) {
        return {};
    }
    std::error_code unknown;
    for (const char* const name : tokenizerNames) {
        for (const std::string& each : {model.stem().string() + "_" + name, std::string(name)}) {
            const fs::path path = model.parent_path() / each;
            if (fs::is_regular_file(path, unknown)) {
                return path;
            }
        }
    }
    return {};
}

}  // namespace et::studio
