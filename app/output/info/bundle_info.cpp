#include "app/output/cells.h"
#include "app/output/info/artifact_info.h"
#include "runtime/core/scalar_type.h"

#include <string>
#include <variant>

namespace et::output {
namespace {

using bundled_program::BundledTensor;
using bundled_program::BundledValue;

List valueInfo(const std::vector<BundledValue>& values) {
    return listOf(values, [&](const BundledValue& value) {
        Dict info{{"type", std::string(bundled_program::valueTypeName(value))}};
        if (const auto* tensor = std::get_if<BundledTensor>(&value)) {
            info.emplace_back("dtype", core::scalarTypeName(tensor->scalarType));
            info.emplace_back("sizes", tensor->sizes);
            info.emplace_back("bytes", std::uint64_t{tensor->data.size()});
        }
        return info;
    });
}

Dict suiteInfo(const bundled_program::TestSuite& suite) {
    List cases;
    for (const bundled_program::TestCase& testCase : suite.cases) {
        cases.emplace_back(Dict{
            {"inputs", valueInfo(testCase.inputs)},
            {"expected_outputs", valueInfo(testCase.expectedOutputs)},
        });
    }
    return {{"method", std::string(suite.method)}, {"cases", std::move(cases)}};
}

}  // namespace

core::Result<Dict> bundleInfo(const bundled_program::Bundle& bundle) {
    ET_ASSIGN(const auto program, program::Program::parse(bundle.file, bundle.program));
    Dict embedded{{"bytes", std::uint64_t{bundle.program.size()}}};
    append(embedded, programInfo(*program));
    return Dict{
        {"version", std::uint64_t{bundle.version}},
        {"test_suites", listOf(bundle.suites, suiteInfo)},
        {"program", std::move(embedded)},
    };
}

}  // namespace et::output
