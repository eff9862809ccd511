#pragma once

#include "inspector/catalog/catalog_tensor.h"
#include "inspector/catalog/tensor_catalog.h"
#include "inspector/catalog/tensor_place.h"
#include "inspector/join/instruction_nodes.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// The tensors of a catalog and where each is.
struct CatalogContent {
    std::vector<CatalogTensor> tensors{};
    std::vector<TensorPlace> places{};  ///< as many
    std::vector<std::string> problems{};

    void add(CatalogTensor tensor, TensorPlace place) {
        tensors.push_back(std::move(tensor));
        places.push_back(std::move(place));
    }
};

/// One use of a value by an instruction of a method's first chain.
struct ValueUse {
    core::InstructionId instruction{-1};
    std::string_view argument{};  ///< what the operator calls it: "weight"; empty: not known
};

/// By value.
using ValueUses = std::map<std::uint32_t, std::vector<ValueUse>>;
[[nodiscard]] ValueUses usesOf(const program::Method& method);

/// Adds who uses a tensor: the instructions, their debug handles, the module of the first, and a name where
/// it has none.
void addUses(CatalogTensor& tensor, const std::vector<ValueUse>& uses, const InstructionNodes& nodes);

/// The module that all nodes of these handles are in; empty: none, or the root.
[[nodiscard]] std::string moduleOf(const InstructionNodes& nodes,
                                   const std::vector<core::DebugHandle>& handles);

/// "features.0: weight"; one of both where the other is not known.
[[nodiscard]] std::string nameOfUse(std::string_view module, std::string_view role);

// What each kind of file adds.
void addConstants(CatalogContent& content, const CatalogSources& sources);
void addDataFiles(CatalogContent& content, const CatalogSources& sources);
void addDelegateWeights(CatalogContent& content, const CatalogSources& sources);
void addRecord(CatalogContent& content, const CatalogSources& sources);
void addTests(CatalogContent& content, const CatalogSources& sources);
void addLogged(CatalogContent& content, const CatalogSources& sources);

}  // namespace et::inspector
