#include "app/studio/lab/lab_budget.h"

#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>
#include <cmath>
#include <string>

namespace et::studio {

using tasks::OptimizeBudget;
using visualizers::LabCandidate;
using visualizers::LabFigures;

namespace {

constexpr int fieldLetters = 9;

struct BudgetField {
    const char* key;    ///< of --budget
    const char* label;  ///< untranslated
    const char* name;   ///< object name
    const char* usual;
    const char* tip;  ///< untranslated
};
constexpr std::array budgetFields{
    BudgetField{"error", "Error ≤", "labErrorBudget", "1 %",
                "Maximum error of the outputs relative to the float model: 1 %"},
    BudgetField{"bytes", "Size ≤", "labSizeBudget", "", "Maximum size of the program: 500K, 2M"},
    BudgetField{"time", "Time ≤", "labTimeBudget", "", "Maximum time of a run on this machine: 3 ms"},
};

bool isWithin(const OptimizeBudget& limit, const LabFigures& figures) {
    constexpr double perDecade = 10;
    constexpr double nanosecondsPerMillisecond = 1e6;
    switch (limit.kind) {
        case OptimizeBudget::Kind::Sqnr:
            return figures.noise && *figures.noise <= std::pow(perDecade, -limit.limit / perDecade);
        case OptimizeBudget::Kind::Bytes:
            return figures.bytes && *figures.bytes <= limit.limit;
        case OptimizeBudget::Kind::Time:
            return figures.milliseconds && *figures.milliseconds * nanosecondsPerMillisecond <= limit.limit;
        case OptimizeBudget::Kind::None:
            break;
    }
    return true;
}

}  // namespace

LabBudget::LabBudget(QWidget* parent) : QWidget(parent) {
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(4, 0, 4, 0);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    for (std::size_t i = 0; i < budgetFields.size(); ++i) {
        const BudgetField& of = budgetFields.at(i);
        auto* const field = new QLineEdit(QString::fromUtf8(of.usual), this);
        field->setObjectName(QLatin1String(of.name));
        field->setToolTip(QString::fromUtf8(of.tip));
        field->setAccessibleName(QString::fromUtf8(of.label));
        field->setPlaceholderText(QStringLiteral("any"));
        field->setMaximumWidth(fontMetrics().averageCharWidth() * fieldLetters);
        row->addWidget(new QLabel(QString::fromUtf8(of.label), this));
        row->addWidget(field);
        fields.at(i) = field;
    }
}

core::Result<std::vector<OptimizeBudget>> LabBudget::limits() const {
    std::vector<OptimizeBudget> limits;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const QString text = fields.at(i)->text().remove(u' ');
        if (!text.isEmpty()) {
            ET_ASSIGN(limits.emplace_back(), tasks::parseOptimizeBudget(std::string(budgetFields.at(i).key) +
                                                                        '=' + text.toStdString()));
        }
    }
    return limits;
}

core::Result<OptimizeBudget> LabBudget::leading() const {
    return limits().transform(
        [](const auto& limits) { return limits.empty() ? OptimizeBudget() : limits.front(); });
}

std::optional<std::size_t> LabBudget::best(const std::vector<LabCandidate>& candidates) const {
    const auto known = limits();
    if (!known || known->empty()) {
        return std::nullopt;
    }
    const bool bySize = known->front().kind == OptimizeBudget::Kind::Sqnr;
    const auto costOf = [bySize](const LabFigures& figures) {
        return bySize ? figures.bytes.value_or(INFINITY) : figures.noise.value_or(INFINITY);
    };
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const LabFigures& figures = candidates[i].figures;
        const bool fits = std::ranges::all_of(
            *known, [&](const OptimizeBudget& limit) { return isWithin(limit, figures); });
        if (fits && (!best || costOf(figures) < costOf(candidates[*best].figures))) {
            best = i;
        }
    }
    return best;
}

QStringList LabBudget::texts() const {
    QStringList texts;
    for (const QLineEdit* const field : fields) {
        texts.append(field->text());
    }
    return texts;
}

void LabBudget::setTexts(const QStringList& texts) {
    for (std::size_t i = 0; i < fields.size() && i < static_cast<std::size_t>(texts.size()); ++i) {
        fields.at(i)->setText(texts[static_cast<qsizetype>(i)]);
    }
}

}  // namespace et::studio
