#include "inspector/tokenizers/detail/jinja_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iomanip>
#include <locale>
#include <sstream>

namespace et::inspector::tokenizers::detail::jinja {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

Result<Value> dictOf(const Arguments& arguments, bool isNamespace) {
    Dict dict{.entries = {}, .isNamespace = isNamespace};
    for (const auto& [key, value] : arguments.named) {
        ET_ASSIGN(Value kept, held(value));
        dict.set(key, std::move(kept));
    }
    return Value::dict(std::move(dict));
}

Result<Value> range(const Arguments& arguments, Budget& budget) {
    std::array<std::int64_t, 3> bounds{0, 0, 1};
    const std::size_t count = arguments.all.size();
    for (std::size_t i = 0; i < std::min(count, bounds.size()); ++i) {
        const auto bound = arguments.all[i].integer();
        if (!bound) {
            return fail(ErrorCode::Format,
                        fmt::format("range: {} is not an integer", arguments.all[i].kind()));
        }
        bounds.at(count == 1 ? 1 : i) = *bound;
    }
    if (bounds[2] == 0) {
        return fail(ErrorCode::Format, "range: the step is 0");
    }
    List numbers;
    for (std::int64_t at = bounds[0]; bounds[2] > 0 ? at < bounds[1] : at > bounds[1];) {
        ET_TRY(budget.step());
        numbers.emplace_back(at);
        if (__builtin_add_overflow(at, bounds[2], &at)) {
            break;
        }
    }
    return Value::list(std::move(numbers));
}

Result<Value> formattedNow(const Arguments& arguments) {
    const Value* format = arguments.at(0, "format");
    const auto* text = format == nullptr ? nullptr : format->as<std::string>();
    constexpr std::size_t longest = 256;
    if (text == nullptr || text->size() > longest) {
        return fail(ErrorCode::Format, "strftime_now: expected a format");
    }
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << std::put_time(&parts, text->c_str());
    return Value(std::move(out).str());
}

}  // namespace

Result<Value> held(Value value) {
    return value.isNamespace() ? fail(ErrorCode::Unsupported, "unsupported namespace inside another value")
                               : Result<Value>(std::move(value));
}

Result<Value> callGlobal(std::string_view name, const Arguments& arguments, Budget& budget) {
    if (name == "raise_exception") {
        ET_ASSIGN(const std::string why,
                  arguments.all.empty() ? std::string() : textOf(arguments.all.front(), budget));
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("the template rejects the messages: {}", core::printable(why)));
    }
    if (name == "namespace" || name == "dict") {
        return dictOf(arguments, name == "namespace");
    }
    if (name == "range") {
        return range(arguments, budget);
    }
    return name == "strftime_now"
               ? formattedNow(arguments)
               : fail(ErrorCode::Unsupported, fmt::format("unknown function '{}'", core::printable(name)));
}

}  // namespace et::inspector::tokenizers::detail::jinja
