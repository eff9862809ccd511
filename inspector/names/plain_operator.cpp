#include "inspector/names/plain_operator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::inspector {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

/// Names in torch.nn.functional and torch for operators that lowering renames.
constexpr std::array plainNames{
    Pair{"addmm", "linear"},
    Pair{"mm", "matmul"},
    Pair{"bmm", "matmul"},
    Pair{"baddbmm", "matmul"},
    Pair{"native_layer_norm", "layer_norm"},
    Pair{"native_group_norm", "group_norm"},
    Pair{"native_dropout", "dropout"},
    Pair{"_native_batch_norm_legit", "batch_norm"},
    Pair{"_native_batch_norm_legit_no_training", "batch_norm"},
    Pair{"max_pool2d_with_indices", "max_pool2d"},
    Pair{"_adaptive_avg_pool2d", "adaptive_avg_pool2d"},
    Pair{"constant_pad_nd", "pad"},
    Pair{"t", "transpose"},
    Pair{"_to", "to"},
    Pair{"_to_dim_order", "to"},
    Pair{"_clone_dim_order", "clone"},
    Pair{"custom_sdpa", "attention"},
    Pair{"sdpa", "attention"},
    Pair{"sdpa_with_kv_cache", "attention"},
    Pair{"scaled_dot_product_attention", "attention"},
    Pair{"update_cache", "update_cache"},
    Pair{"_local_scalar_dense", "item"},
};

constexpr std::string_view copySuffix = "_copy";

std::string_view withoutCopy(std::string_view name) {
    return name.ends_with(copySuffix) && name.size() > copySuffix.size()
               ? name.substr(0, name.size() - copySuffix.size())
               : name;
}

/// The convolution's rank is that of its output without batch and channels.
std::string convolution(std::size_t rank) {
    constexpr std::size_t besides = 2;
    return rank > besides && rank <= besides + 3 ? "conv" + std::to_string(rank - besides) + "d" : "conv";
}

}  // namespace

void JoinedOperators::add(std::string_view name, std::size_t rank) {
    std::string readable = plainOperator(name, rank);
    if (isQuantization(name)) {
        storage = storage.empty() ? std::move(readable) : storage;
    } else if (!std::ranges::contains(plain, readable)) {
        plain.push_back(std::move(readable));
    }
}

std::string JoinedOperators::text() const {
    constexpr std::size_t mostNamed = 3;
    if (plain.size() > mostNamed) {
        return {};
    }
    return plain.empty() ? storage : fmt::format("{}", fmt::join(plain, " + "));
}

std::string plainOperator(std::string_view name, std::size_t rank) {
    if (name == "convolution" || name == "_convolution") {
        return convolution(rank);
    }
    const std::string_view bare = withoutCopy(name);
    if (const auto* const found = std::ranges::find(plainNames, bare, &Pair::first);
        found != plainNames.end()) {
        return std::string(found->second);
    }
    // A leading underscore marks PyTorch internals: "_softmax".
    const std::size_t letter = bare.find_first_not_of('_');
    return std::string(letter == std::string_view::npos ? bare : bare.substr(letter));
}

bool isQuantization(std::string_view name) {
    return name.starts_with("quantize_") || name.starts_with("dequantize_") ||
           name.starts_with("choose_qparams");
}

bool isDataMovement(std::string_view name) {
    constexpr std::array others{"clone", "_clone_dim_order", "cat", "stack", "copy_"};
    return name.ends_with("_copy") || std::ranges::contains(others, name);
}

}  // namespace et::inspector
