#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Tables from which compile_specs.h decodes the settings of a backend. A backend with compile specs adds an
// array of SpecRule and names it in the list in compile_specs.cpp; delegates, info, graph, diff, SQL and
// et-studio then show its settings.
namespace et::backends {

/// Name of a number: {1, "TEXTURE_3D"}.
struct SpecLabel {
    std::int64_t number;
    std::string_view name;
};

/// Meaning of a text: {"mt6991", "Dimensity 9400"}.
struct SpecWord {
    std::string_view text;
    std::string_view meaning;
};

enum class FlatKind : std::uint8_t {
    Bool,
    Int32,   ///< with labels: an enum
    UInt32,  ///< with labels: an enum
    Text,
    TextList,
    Table,
    TableList,
};

struct FlatTable;

/// A field of a flatbuffer's table. All numbers have the default 0, which flatbuffers leave out.
struct FlatField {
    std::string_view name;
    FlatKind kind = FlatKind::Bool;
    std::span<const SpecLabel> labels = {};
    const FlatTable* table = nullptr;  ///< of Table and TableList; tables may not refer to themselves
};

/// The fields of a table in the order of its schema, so that the position is the field's number.
struct FlatTable {
    std::span<const FlatField> fields;
    std::string_view identifier = {};  ///< of a root table's file: "EETO"; empty: none
};

enum class SpecFormat : std::uint8_t {
    Text,         ///< characters, with `words` for known ones
    Flag,         ///< one byte: 0 or 1
    TextFlag,     ///< "True", "false", "ON", "0" and the like
    Integer,      ///< little-endian, unsigned, 1, 2, 4 or 8 bytes; with labels: an enum
    TextInteger,  ///< decimal digits; with labels: an enum
    Json,         ///< members become settings: "ops[0].bits"
    Options,      ///< words of a command line become settings: "--opt=3"; with `words` for known values
    Flatbuffer,   ///< fields of `schemas` become settings: "soc_info.soc_model"
};

/// How a backend encodes the value of a key.
struct SpecRule {
    std::string_view key;  ///< empty: all keys that no rule before it matches
    SpecFormat format = SpecFormat::Text;
    std::size_t bytes = 0;  ///< size of an Integer; 0: any
    std::span<const SpecLabel> labels = {};
    std::span<const SpecWord> words = {};
    /// Root tables of the schema's versions, newest first. The one that leaves the fewest values without a
    /// meaning is used, the newest among equals.
    std::span<const FlatTable* const> schemas = {};
};

}  // namespace et::backends
