#pragma once

#include "app/tasks/model/inputs.h"
#include "app/tasks/model/model.h"
#include "app/tasks/model/model_options.h"
#include "inspector/tensor_files/tensor_view.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

namespace et::tasks {

/// The inputs of the steps of a training run.
class TrainingData {
  public:
    /// Reads --input: files with more rows than an input, or with an additional first dimension, are divided
    /// into batches; other values are used in each step. Without --input, the cases of a bundled program are
    /// the batches; without those, the inputs are random, the same in each step. `note` receives messages.
    /// Errors: those of the files and of makeInputs(); InvalidArgument (wrong number of tensors, or sizes of
    /// which no batch can be made: the message names the input).
    [[nodiscard]] static core::Result<TrainingData> open(const Model& model, const ModelOptions& options,
                                                         const std::function<void(std::string_view)>& note);

    /// At least 1.
    [[nodiscard]] std::size_t batches() const { return batchCount; }
    /// Reorders the rows of all inputs in the same way, before the first batch of an epoch.
    void shuffle(std::mt19937_64& random);
    /// Valid until the next call.
    [[nodiscard]] const InputSet& batch(std::size_t number);

  private:
    /// Tensor of a file, divided into rows, or into whole batches.
    struct Column {
        inspector::HostTensor tensor;
        std::vector<std::int64_t> sizes;  ///< of the input
        std::size_t unitsPerBatch = 1;    ///< number of rows; 1: a whole batch
        std::size_t batches = 1;
        std::size_t rowBytes = 0;
    };

    [[nodiscard]] core::Result<> addColumns(const program::Method& method, const ModelOptions& options,
                                            std::uint64_t maxBytes);
    [[nodiscard]] core::Result<Column> columnOf(const program::Method& method, std::size_t input,
                                                inspector::HostTensor tensor);
    [[nodiscard]] core::Result<> countBatches();
    /// Position in the file of a row of a batch.
    [[nodiscard]] std::size_t rowOf(const Column& column, std::size_t batch, std::size_t row) const;

    std::vector<Column> columns;  ///< by input; empty: `sets`
    std::deque<InputSet> sets;
    std::vector<std::size_t> order;  ///< of the rows, or of the batches; empty: as in the file
    std::size_t batchCount = 1;
    std::size_t rowsPerBatch = 0;  ///< of all divided inputs; 0: different ones, or none
    std::size_t unusedRows = 0;
    InputSet current;
};

}  // namespace et::tasks
