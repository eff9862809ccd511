#include "runtime/core/flat_view.h"

#include <fmt/format.h>

namespace et::core {
namespace {

constexpr std::size_t identifierAt = sizeof(flatbuffers::uoffset_t);
constexpr std::size_t identifierSize = flatbuffers::kFileIdentifierLength;
constexpr std::size_t alignment = 8;  // of the largest scalar in a flatbuffer

}  // namespace

std::string FieldPath::toString() const {
    std::string text = outer == nullptr ? std::string() : outer->toString();
    if (!name.empty()) {
        text += text.empty() ? "" : ".";
        text += name;
    }
    return index < 0 ? text : fmt::format("{}[{}]", text, index);
}

std::unexpected<Error> FlatView::fail(ErrorCode code, const FieldPath& path, const void* place,
                                      std::string message) const {
    Where where{.file = {}, .field = path.toString(), .offset = {}};
    if (place != nullptr) {
        where.offset =
            origin + static_cast<std::uint64_t>(static_cast<const std::byte*>(place) - bytes.data());
    }
    return core::fail(code, std::move(message), std::move(where));
}

Result<std::string_view> FlatView::required(const flatbuffers::String* text, const FieldPath& path,
                                            const void* table) const {
    if (text == nullptr || text->size() == 0) {
        return fail(ErrorCode::Format, path, table, "expected a string, got none");
    }
    return text->string_view();
}

Result<> FlatView::checkStart(std::string_view identifier) const {
    const FieldPath none;
    const FieldPath path = none.field("identifier");
    if (bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
        return fail(ErrorCode::Limit, none, nullptr,
                    fmt::format("expected a flatbuffer of less than {} bytes, got {}",
                                std::uint64_t{FLATBUFFERS_MAX_BUFFER_SIZE}, bytes.size()));
    }
    if (bytes.size() < identifierAt + identifierSize) {
        return core::fail(
            ErrorCode::Format,
            fmt::format("expected at least {} bytes, got {}", identifierAt + identifierSize, bytes.size()),
            {.file = {}, .field = path.toString(), .offset = origin});
    }
    const auto* found = reinterpret_cast<const char*>(bytes.data()) + identifierAt;
    if (!identifier.empty() && std::string_view(found, identifierSize) != identifier) {
        return fail(
            ErrorCode::Format, path, found,
            fmt::format("expected \"{}\", got \"{}\"", identifier, std::string_view(found, identifierSize)));
    }
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment != 0) {
        return fail(ErrorCode::Format, none, bytes.data(),
                    fmt::format("expected a flatbuffer aligned to {} bytes", alignment));
    }
    return {};
}

flatbuffers::Verifier::Options FlatView::verifierOptions(flatbuffers::uoffset_t depth) const {
    flatbuffers::Verifier::Options options;
    options.max_depth = depth;
    // Each table takes at least the 4 bytes of a reference; more visits indicate excessive sharing of tables.
    options.max_tables =
        static_cast<flatbuffers::uoffset_t>(bytes.size() / sizeof(flatbuffers::uoffset_t) + 1);
    return options;
}

std::unexpected<Error> FlatView::damaged() const {
    return core::fail(
        ErrorCode::Format,
        fmt::format("expected a valid flatbuffer of {} bytes, got a truncated or damaged one", bytes.size()),
        {.file = {}, .field = {}, .offset = origin});
}

Result<> FlatView::claim(std::uint64_t size, const FieldPath& path, const void* place) {
    if (size > budget) {
        return fail(ErrorCode::Limit, path, place,
                    fmt::format("expected vectors of at most {} times the flatbuffer size in total, got more",
                                copiesAllowed));
    }
    budget -= size;
    return {};
}

}  // namespace et::core
