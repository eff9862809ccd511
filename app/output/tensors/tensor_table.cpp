#include "app/output/tensors/tensor_table.h"

#include "inspector/numeric_gap/metrics.h"
#include "inspector/tensors/stored_values.h"

#include <string>
#include <utility>

namespace et::output {
namespace {

using inspector::CatalogTensor;
using inspector::SideStatistics;
using inspector::TensorCatalog;
using Row = std::vector<Cell>;

void addStatisticsColumns(std::vector<Column>& columns) {
    for (const char* const id : {"min", "max", "mean", "std", "zeros", "nan", "inf"}) {
        columns.push_back(numberColumn(id));
    }
}

/// Statistics cover the finite elements; empty if there are none.
void addStatistics(Row& row, const SideStatistics& of) {
    const bool any = of.elements > of.nans + of.infinities;
    for (const double number : {of.minimum, of.maximum, of.mean, of.deviation}) {
        row.push_back(any ? Cell(number) : Cell());
    }
    for (const std::uint64_t count : {of.zeros, of.nans, of.infinities}) {
        row.emplace_back(count);
    }
}

core::Result<SideStatistics> statistics(const TensorCatalog& catalog, std::size_t tensor,
                                        inspector::TensorForm form) {
    ET_ASSIGN(const inspector::HostTensor read, catalog.read(tensor, form));
    ET_ASSIGN(const std::vector<double> numbers, inspector::numbersOf(read));
    return inspector::computeStatistics(numbers);
}

Row rowOf(const CatalogTensor& tensor) {
    return {tensor.name,
            std::string(inspector::traits(tensor.origin).name),
            tensor.type,
            tensor.bytes,
            tensor.place,
            tensor.module,
            numbersOf(tensor.handles)};
}

}  // namespace

Table tensorTable(const TensorCatalog& catalog, std::span<const std::size_t> which,
                  const TensorTableOptions& options) {
    Table table{.columns = {textColumn("name"),
                            textColumn("origin"),
                            textColumn("type"),
                            numberColumn("bytes", Measure::Bytes),
                            textColumn("place"),
                            textColumn("module"),
                            {.id = "handles", .header = "handles", .shortenLists = true}},
                .indexed = false};
    if (options.statistics) {
        addStatisticsColumns(table.columns);
    }
    const std::size_t before = table.columns.size();
    if (!options.saved.empty()) {
        table.columns.push_back(textColumn("file"));
    }
    bool anyProblem = false;
    std::vector<std::string> problems(which.size());
    for (std::size_t i = 0; i < which.size(); ++i) {
        Row row = rowOf(catalog.tensors()[which[i]]);
        if (options.statistics) {
            if (const auto found = statistics(catalog, which[i], options.form)) {
                addStatistics(row, *found);
            } else {
                problems[i] = found.error().message;
                row.resize(before);
            }
        }
        if (!options.saved.empty()) {
            row.emplace_back(options.saved[i].file);
            problems[i] = options.saved[i].problem.empty() ? problems[i] : options.saved[i].problem;
        }
        anyProblem = anyProblem || !problems[i].empty();
        table.rows.push_back(std::move(row));
    }
    if (anyProblem) {
        table.columns.push_back(textColumn("problem"));
        for (std::size_t i = 0; i < which.size(); ++i) {
            table.rows[i].emplace_back(std::move(problems[i]));
        }
    }
    return table;
}

}  // namespace et::output
