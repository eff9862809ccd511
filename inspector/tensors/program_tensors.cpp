// Lists constants, state, data files and test cases of a program.
#include "inspector/session/package_program.h"
#include "inspector/tensors/catalog_builder.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"
#include "runtime/program/training_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using program::InitialData;
using program::TensorInfo;

std::string typeOf(std::int8_t scalarType, const std::vector<std::int64_t>& sizes) {
    return fmt::format("{} {}", core::scalarTypeName(scalarType), core::sizesText(sizes));
}

DenseLocation placeOf(const TensorInfo& tensor) {
    return {.data = tensor.data,
            .scalarType = tensor.scalarType,
            .sizes = tensor.sizes,
            .dimOrder = tensor.dimOrder};
}

/// Names of trained parameters, by value.
std::map<program::ValueId, std::string_view> trainedNames(const program::Program& program,
                                                          const program::Method& method) {
    std::map<program::ValueId, std::string_view> names;
    if (const auto training = program::trainingMethod(program, method); training && *training) {
        for (const program::TrainedParameter& each : (*training)->parameters) {
            names.emplace((*training)->valueOf(each.parameter), each.name);
        }
    }
    return names;
}

void addMethod(CatalogContent& content, const program::Program& program, const program::Method& method,
               const etrecord::Record* record) {
    const InstructionNodes nodes(record, method.name);
    const ValueUses uses = usesOf(method);
    const auto trained = trainedNames(program, method);
    const auto nameOf = [&](std::size_t i) {
        const std::string_view own = method.values[i].as<TensorInfo>()->name;
        const auto found = trained.find(program::ValueId(static_cast<std::uint32_t>(i)));
        return own.empty() && found != trained.end() ? found->second : own;
    };
    for (std::size_t i = 0; i < method.values.size(); ++i) {
        const auto* const info = method.values[i].as<TensorInfo>();
        if (info == nullptr || info->initialData != InitialData::Program) {
            continue;
        }
        CatalogTensor tensor{.origin = info->allocation ? TensorOrigin::State : TensorOrigin::Constant,
                             .name = std::string(nameOf(i)),
                             .place = fmt::format("{}: value {}", method.name, i),
                             .type = typeOf(info->scalarType, info->sizes),
                             .bytes = info->data.size(),
                             .method = std::string(method.name)};
        if (const auto used = uses.find(static_cast<std::uint32_t>(i)); used != uses.end()) {
            addUses(tensor, used->second, nodes);
        }
        if (nameOf(i).empty() && tensor.module.empty()) {
            // Only the location distinguishes two tensors called "weight".
            tensor.name = tensor.name.empty() ? fmt::format("value {}", i)
                                              : fmt::format("value {}: {}", i, tensor.name);
        }
        content.add(std::move(tensor), placeOf(*info));
    }
}

/// Adds the users of a data file's entry, found by its name.
void addReaders(CatalogTensor& tensor, const CatalogSources& sources) {
    if (sources.session->program == nullptr) {
        return;
    }
    for (const program::Method& method : sources.session->program->methods) {
        const InstructionNodes nodes(sources.session->recordOfProgram(), method.name);
        const ValueUses uses = usesOf(method);
        for (std::size_t i = 0; i < method.values.size(); ++i) {
            const auto* const info = method.values[i].as<TensorInfo>();
            const bool here =
                info != nullptr && info->initialData == InitialData::External && info->name == tensor.name;
            const auto used = here ? uses.find(static_cast<std::uint32_t>(i)) : uses.end();
            if (used != uses.end()) {
                addUses(tensor, used->second, nodes);
            }
        }
    }
}

void addValues(CatalogContent& content, const bundled_program::TestSuite& suite, std::size_t testCase,
               const std::vector<bundled_program::BundledValue>& values, TensorOrigin origin) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto* const tensor = std::get_if<bundled_program::BundledTensor>(&values[i]);
        if (tensor == nullptr) {
            continue;
        }
        const bool input = origin == TensorOrigin::TestInput;
        content.add({.origin = origin,
                     .name = fmt::format("case {}, {} {}", testCase, input ? "input" : "output", i),
                     .place = std::string(suite.method),
                     .type = typeOf(tensor->scalarType, tensor->sizes),
                     .bytes = tensor->data.size(),
                     .method = std::string(suite.method)},
                    DenseLocation{.data = tensor->data,
                                  .scalarType = tensor->scalarType,
                                  .sizes = tensor->sizes,
                                  .dimOrder = tensor->dimOrder});
    }
}

}  // namespace

void addConstants(CatalogContent& content, const CatalogSources& sources) {
    const Session& session = *sources.session;
    if (isProgramOfPackage(session)) {
        return;
    }
    for (std::size_t i = 0; session.program != nullptr && i < session.program->methods.size(); ++i) {
        addMethod(content, *session.program, session.program->methods[i], session.recordOfProgram());
    }
    // Sort by origin.
    std::vector<std::size_t> order(content.tensors.size());
    std::ranges::generate(order, [n = std::size_t{0}] mutable { return n++; });
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return content.tensors[at].origin; });
    CatalogContent sorted{.problems = std::move(content.problems)};
    for (const std::size_t at : order) {
        sorted.add(std::move(content.tensors[at]), std::move(content.places[at]));
    }
    content = std::move(sorted);
}

void addDataFiles(CatalogContent& content, const CatalogSources& sources) {
    for (const auto& file : sources.tensorData) {
        for (const program::TensorDataEntry& entry : file->entries) {
            if (!entry.layout) {
                continue;  // in a delegate's own format: listed with its weights
            }
            CatalogTensor tensor{.origin = TensorOrigin::DataFile,
                                 .name = std::string(entry.name),
                                 .place = file->file->name(),
                                 .type = typeOf(entry.layout->scalarType, entry.layout->sizes),
                                 .bytes = entry.data.size()};
            addReaders(tensor, sources);
            content.add(std::move(tensor), DenseLocation{.data = entry.data,
                                                         .scalarType = entry.layout->scalarType,
                                                         .sizes = entry.layout->sizes,
                                                         .dimOrder = entry.layout->dimOrder});
        }
    }
}

void addTests(CatalogContent& content, const CatalogSources& sources) {
    if (sources.session->bundle == nullptr) {
        return;
    }
    for (const TensorOrigin origin : {TensorOrigin::TestInput, TensorOrigin::TestOutput}) {
        for (const bundled_program::TestSuite& suite : sources.session->bundle->suites) {
            for (std::size_t i = 0; i < suite.cases.size(); ++i) {
                const bundled_program::TestCase& one = suite.cases[i];
                addValues(content, suite, i,
                          origin == TensorOrigin::TestInput ? one.inputs : one.expectedOutputs, origin);
            }
        }
    }
}

}  // namespace et::inspector
