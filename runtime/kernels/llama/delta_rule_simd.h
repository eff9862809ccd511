#pragma once

#include <cstddef>

// Inner loop of the gated delta rule, dispatched by CPU. Columns of a state are independent of each other.
namespace et::kernels::llama {

/// Largest number of query heads per call of advanceColumns().
inline constexpr std::size_t maxQueryHeads = 4;

/// Some columns of the state of a head [keys, values], over all tokens. Pointers to rows of `values` numbers
/// point to the first column.
struct DeltaRuleColumns {
    std::size_t tokens;
    std::size_t keys;
    std::size_t values;
    std::size_t columns;     ///< at most deltaRuleColumns()
    std::size_t queryHeads;  ///< that read the state: 1 to maxQueryHeads
    const float* query;      ///< [queryHeads, tokens, keys]
    const float* key;        ///< [tokens, keys]
    const float* value;      ///< [tokens, values]
    const float* decay;      ///< [tokens, keys], or [tokens]
    std::size_t decayStep;   ///< from one key to the next: 1 or 0
    const float* beta;       ///< [tokens]
    const float* initial;    ///< [keys, values]
    float* last;             ///< [keys, values]; null: not stored
    float* out;              ///< [queryHeads, tokens, values]
    float* block;            ///< temporary memory: keys * deltaRuleColumns() numbers
};

/// Number of columns to process together.
[[nodiscard]] std::size_t deltaRuleColumns(std::size_t values);

void advanceColumns(const DeltaRuleColumns& columns);

}  // namespace et::kernels::llama
