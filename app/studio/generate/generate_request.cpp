#include "app/studio/generate/generate_request.h"

#include "app/studio/option_fields.h"

#include <array>
#include <string>
#include <system_error>

namespace et::studio {

namespace {

namespace fs = std::filesystem;

constexpr std::array tokenizerNames{"tokenizer.json", "tokenizer.model", "tekken.json", "tokenizer.bin"};

}  // namespace

bool needsPromptFile(const tasks::GenerateSettings& settings) {
    return settings.prompts.front().starts_with('@');
}

QStringList argumentsOf(const tasks::GenerateSettings& settings) {
    return commandArguments("generate", tasks::argumentsOf(settings, &tasks::addGenerateOptions),
                            {QStringLiteral("--surprise"), QStringLiteral("--format=jsonl")});
}

fs::path adjacentTokenizer(const fs::path& model) {
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
