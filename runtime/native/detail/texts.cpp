#include "runtime/native/detail/texts.h"

#include <fmt/format.h>

namespace et::native::detail {

using core::ErrorCode;
using core::FieldPath;
using core::Result;

Result<std::string> Texts::name(const flatbuffers::String* text, const FieldPath& path, const void* table) {
    ET_TRY(view.required(text, path, table));
    return optional(text, path);
}

Result<std::string> Texts::optional(const flatbuffers::String* text, const FieldPath& path) {
    const std::string_view copied = viewOf(text);
    if (copied.size() > budget) {
        return view.fail(
            ErrorCode::Limit, path, text,
            fmt::format("expected texts of at most {} times the size of the graph in total, got more",
                        copiesAllowed));
    }
    budget -= copied.size();
    return std::string(copied);
}

Result<std::vector<std::string>> Texts::list(const List* texts, const FieldPath& path) {
    return view.map(texts, path, [this](const flatbuffers::String* text, const FieldPath& at) {
        return optional(text, at);
    });
}

Result<> checkDefined(const core::FlatView& view, const Names& defined, std::string_view name,
                      const FieldPath& path, const void* place) {
    if (defined.contains(name)) {
        return {};
    }
    return view.fail(
        ErrorCode::Format, path, place,
        fmt::format("expected a value that is defined before its use, got \"{}\"", core::printable(name)));
}

}  // namespace et::native::detail
