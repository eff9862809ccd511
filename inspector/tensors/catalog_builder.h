#pragma once

#include "inspector/join/instruction_nodes.h"
#include "inspector/tensors/tensor_catalog.h"
#include "runtime/core/result.h"
#include "runtime/native/package.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Tensors of a catalog and their locations.
struct CatalogContent {
    std::vector<CatalogTensor> tensors{};
    std::vector<TensorLocation> places{};  ///< as many
    std::vector<std::string> problems{};

    void add(CatalogTensor tensor, TensorLocation place) {
        tensors.push_back(std::move(tensor));
        places.push_back(std::move(place));
    }
};

/// One use of a value by an instruction of a method's first chain.
struct ValueUse {
    core::InstructionId instruction{-1};
    std::string_view argument{};  ///< name of the operator's argument: "weight"; empty: unknown
};

/// By value.
using ValueUses = std::map<std::uint32_t, std::vector<ValueUse>>;
[[nodiscard]] ValueUses usesOf(const program::Method& method);

/// Records the users of a tensor: the instructions, their debug handles, the module of the first, and a name
/// if it has none.
void addUses(CatalogTensor& tensor, const std::vector<ValueUse>& uses, const InstructionNodes& nodes);

/// The module that contains all nodes of these handles; empty: none, or the root.
[[nodiscard]] std::string moduleOf(const InstructionNodes& nodes,
                                   const std::vector<core::DebugHandle>& handles);

/// "features.0: weight"; only one of the two if the other is unknown.
[[nodiscard]] std::string nameOfUse(std::string_view module, std::string_view role);

// Each adds the tensors of one kind of file.
void addConstants(CatalogContent& content, const CatalogSources& sources);
void addDataFiles(CatalogContent& content, const CatalogSources& sources);
void addDelegateWeights(CatalogContent& content, const CatalogSources& sources);
void addPackage(CatalogContent& content, const CatalogSources& sources);
void addRecord(CatalogContent& content, const CatalogSources& sources);
void addTests(CatalogContent& content, const CatalogSources& sources);
void addLogged(CatalogContent& content, const CatalogSources& sources);

/// The elements of a quantized constant, or zeros. Packed codecs are stored as bytes. Errors: those of
/// native::dequantize(); Limit.
[[nodiscard]] core::Result<HostTensor> packageTensor(const native::Package& package,
                                                     const PackageLocation& place, TensorForm form);

}  // namespace et::inspector
