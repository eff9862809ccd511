#include "app/tasks/lab/program_outputs.h"

#include "app/tasks/gap/gap_input_sets.h"
#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/model/model.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <utility>

namespace et::tasks {

using backends::reference::ReferenceValue;
using core::Result;

Result<std::vector<CaseOutputs>> programOutputs(const LowerResult& program, const std::string& method,
                                                std::span<const CalibrationCase> cases) {
    // A program lowered in pieces has not been read back.
    const auto file = program.program != nullptr
                          ? program.program->file
                          : core::MappedFile::fromMemory(program.lowered.file.joined(), "lowered program");
    ET_ASSIGN(const auto model, Model::prepare(file, {}));
    model->cancel = nullptr;
    executor::Module module = model->newModule(nullptr);
    ET_ASSIGN(executor::Method* const loaded, module.load(method));
    std::vector<CaseOutputs> all;
    for (const CalibrationCase& each : cases) {
        ET_TRY(give({.name = "evaluation", .values = each}, *loaded));
        ET_TRY(loaded->execute());
        CaseOutputs outputs;
        for (std::size_t i = 0; i < loaded->outputCount(); ++i) {
            const auto* tensor = loaded->output(i).as<core::Tensor>();
            ReferenceValue value;
            if (tensor != nullptr) {
                ET_ASSIGN(value.content, inspector::rowMajorCopy(*tensor));
            }
            outputs.push_back(std::move(value));
        }
        all.push_back(std::move(outputs));
    }
    return all;
}

Result<OutputError> programCloseness(const etrecord::Record& record, const std::string& method,
                                     const LowerResult& program, const std::filesystem::path& cases,
                                     std::size_t most) {
    ET_ASSIGN(const auto variants,
              QuantizedVariants::open(
                  record, method, {.record = {}, .calibration = cases, .evaluation = {}, .maxCases = most}));
    ET_TRY(variants->runFloat());
    ET_ASSIGN(const auto outputs, programOutputs(program, method, variants->evaluation()));
    return measureOutputError(variants->reference(), outputs);
}

}  // namespace et::tasks
