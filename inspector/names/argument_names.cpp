#include "inspector/names/argument_names.h"

#include "runtime/kernels/operator_schema.h"

#include <fmt/format.h>

namespace et::inspector::names::detail {

std::string_view argumentName(std::string_view op, std::size_t argument) {
    const kernels::OperatorSchema* const schema = kernels::findSchema(op);
    if (schema == nullptr || schema->arguments == "self") {
        return {};
    }
    const std::string_view declared = schema->arguments.substr(0, schema->arguments.find(" ->"));
    const std::string_view word = nameInList(declared, argument);
    return word.substr(0, word.find('='));
}

std::string_view nameInList(std::string_view names, std::size_t argument) {
    for (; argument > 0 && !names.empty(); --argument) {
        const std::size_t blank = names.find(' ');
        names.remove_prefix(blank == std::string_view::npos ? names.size() : blank + 1);
    }
    return names.substr(0, names.find(' '));
}

std::string argumentLabel(std::size_t argument, std::string_view name) {
    return name.empty() ? fmt::format("argument {}", argument)
                        : fmt::format("argument {} ({})", argument, name);
}

}  // namespace et::inspector::names::detail
