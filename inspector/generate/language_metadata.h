#pragma once

#include "runtime/program/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace et::inspector {

/// A method without inputs and instructions, used by exporters to store a constant: "get_max_seq_len".
struct ProgramConstant {
    using Item = std::variant<bool, std::int64_t, double, std::string>;
    std::string name;
    std::vector<Item> items;  ///< return values; a tensor's elements individually

    /// The only item as a number; empty if there are several or none.
    [[nodiscard]] std::optional<std::int64_t> number() const;
};

/// A program's metadata as a language model. Unchecked; LanguageForm validates the values.
struct LanguageMetadata {
    std::vector<ProgramConstant> constants;  ///< all, in file order

    std::optional<std::int64_t> maxSequence;  ///< get_max_seq_len: maximum tokens per call
    std::optional<std::int64_t> maxContext;   ///< get_max_context_len, else maxSequence: maximum positions
    std::optional<std::int64_t> vocabulary;   ///< get_vocab_size
    std::optional<std::int64_t> layers;       ///< get_n_layers
    std::optional<std::int64_t> bos;          ///< get_bos_id
    std::vector<std::int64_t> eos;            ///< get_eos_ids, get_eos_id
    bool usesCache = true;                    ///< use_kv_cache
    bool dynamicShape = false;                ///< enable_dynamic_shape

    [[nodiscard]] const ProgramConstant* find(std::string_view name) const;
};

[[nodiscard]] LanguageMetadata languageMetadata(const program::Program& program);

/// Whether a method has neither inputs nor instructions.
[[nodiscard]] bool isConstantMethod(const program::Method& method);

}  // namespace et::inspector
