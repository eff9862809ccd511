#include "app/serve/option_words.h"

#include <array>
#include <string_view>

namespace et::serve {
namespace {

struct OptionWord {
    std::string_view commandLine;
    std::string_view python;
};
constexpr std::array optionWords{
    OptionWord{"(--plugin)", "(plugins=)"},
    OptionWord{"(--etrecord)", "(etrecord=)"},
    OptionWord{"(--data)", "(data_path=)"},
    OptionWord{"--backend-off:", "backends_off:"},
};

}  // namespace

core::Error toPythonNames(core::Error error) {
    for (const OptionWord& each : optionWords) {
        for (std::size_t at = error.message.find(each.commandLine); at != std::string::npos;
             at = error.message.find(each.commandLine, at + each.python.size())) {
            error.message.replace(at, each.commandLine.size(), each.python);
        }
    }
    return error;
}

}  // namespace et::serve
