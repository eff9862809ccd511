#pragma once

#include "runtime/core/result.h"

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace et::inspector::tokenizers::detail {

/// A value in a tokenizer's JSON with its path for errors. Borrows from the parsed document.
class JsonField {
  public:
    JsonField(simdjson::dom::element of, std::string at) : value(of), place(std::move(at)) {}

    [[nodiscard]] simdjson::dom::element raw() const { return value; }
    [[nodiscard]] const std::string& path() const { return place; }

    /// The member, if present and not null.
    [[nodiscard]] std::optional<JsonField> find(std::string_view name) const;
    /// The member. Errors: Format (missing, null).
    [[nodiscard]] core::Result<JsonField> member(std::string_view name) const;

    /// Conversions. Errors: Format (the value has another type).
    [[nodiscard]] core::Result<std::string_view> text() const;
    [[nodiscard]] core::Result<bool> boolean() const;
    [[nodiscard]] core::Result<double> number() const;
    /// Errors: additionally Limit (above `max`).
    [[nodiscard]] core::Result<std::uint64_t> integer(std::uint64_t max) const;
    [[nodiscard]] core::Result<simdjson::dom::array> array() const;
    [[nodiscard]] core::Result<simdjson::dom::object> object() const;

    /// Members with a fallback for missing or null values.
    [[nodiscard]] core::Result<std::string_view> textOr(std::string_view name,
                                                        std::string_view fallback) const;
    [[nodiscard]] core::Result<bool> booleanOr(std::string_view name, bool fallback) const;
    [[nodiscard]] core::Result<std::uint64_t> integerOr(std::string_view name, std::uint64_t max,
                                                        std::uint64_t fallback) const;

    [[nodiscard]] JsonField at(std::size_t index, simdjson::dom::element element) const;

    /// The error "expected WHAT, got VALUE" at this path.
    [[nodiscard]] std::unexpected<core::Error> expected(std::string_view what) const;
    /// The error "TYPE is not known here" for an unsupported component or value.
    [[nodiscard]] std::unexpected<core::Error> unknown() const;
    /// Adds this path to `error`.
    [[nodiscard]] core::Error placed(core::Error error) const;

  private:
    [[nodiscard]] std::string shortText() const;

    simdjson::dom::element value;
    std::string place;
};

/// Parses a document into `parser`, which owns it. Errors: Format.
[[nodiscard]] core::Result<JsonField> parseJson(simdjson::dom::parser& parser, std::string_view bytes);

}  // namespace et::inspector::tokenizers::detail
