#include "visualizers/lab/site_model.h"

#include "visualizers/lab/lab_text.h"

#include <QStringList>

#include <array>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double savedPart = 0.75;  // int8 takes one byte of four

struct SiteColumn {
    const char* id;
    const char* title;  ///< untranslated
    const char* tip;    ///< untranslated
    bool numeric;
};
constexpr std::array siteColumns{
    SiteColumn{"site", QT_TRANSLATE_NOOP("et::visualizers::SiteModel", "Site in int8"),
               QT_TRANSLATE_NOOP("et::visualizers::SiteModel",
                                 "Checked sites are quantized (int8), the others stay in float"),
               false},
    SiteColumn{"only_db", QT_TRANSLATE_NOOP("et::visualizers::SiteModel", "Only it (dB)"),
               QT_TRANSLATE_NOOP("et::visualizers::SiteModel",
                                 "SQNR of the outputs with it alone in int8; the lowest costs most"),
               true},
    SiteColumn{"saved_bytes", QT_TRANSLATE_NOOP("et::visualizers::SiteModel", "Saves"),
               QT_TRANSLATE_NOOP("et::visualizers::SiteModel", "Bytes that its weight takes less in int8"),
               true},
    SiteColumn{"module", QT_TRANSLATE_NOOP("et::visualizers::SiteModel", "Module"),
               QT_TRANSLATE_NOOP("et::visualizers::SiteModel", "The torch.nn.Module that it comes from"),
               false},
    SiteColumn{"op", QT_TRANSLATE_NOOP("et::visualizers::SiteModel", "Operator"),
               QT_TRANSLATE_NOOP("et::visualizers::SiteModel", "What it computes"), false},
    SiteColumn{"all_but_db", QT_TRANSLATE_NOOP("et::visualizers::SiteModel", "All but it (dB)"),
               QT_TRANSLATE_NOOP("et::visualizers::SiteModel", "SQNR of the outputs with all others in int8"),
               true},
    SiteColumn{"cause", QT_TRANSLATE_NOOP("et::visualizers::SiteModel", "Why"),
               QT_TRANSLATE_NOOP("et::visualizers::SiteModel",
                                 "What most of its error comes from, or why it stays in float"),
               false},
};
static_assert(siteColumns.size() == SiteModel::ColumnCount);

QString decibelCell(const std::optional<double>& noise) {
    return noise ? labDecibels(*noise).remove(QStringLiteral(" dB")) : QString();
}

/// The lowest where the error is largest; 0 where the outputs are equal, or it cannot be quantized.
double decibelKey(const std::optional<double>& noise) {
    return noise && *noise > 0 ? -*noise : 0;
}

}  // namespace

void SiteModel::setStudy(std::shared_ptr<const LabStudy> shown) {
    beginResetModel();
    study = std::move(shown);
    inFloat = study ? sameChoice(*study, false) : LabChoice();
    endResetModel();
}

void SiteModel::setChoice(const LabChoice& choice) {
    if (choice.size() == inFloat.size() && choice != inFloat) {
        inFloat = choice;
        emit dataChanged(index(0, Site), index(rowCount() - 1, Site), {Qt::CheckStateRole});
    }
}

void SiteModel::toggle(const std::vector<std::size_t>& sites) {
    LabChoice next = inFloat;
    for (const std::size_t site : sites) {
        if (study->sites[site].canChoose()) {
            next[site] = !next[site];
        }
    }
    if (next != inFloat) {
        setChoice(next);
        emit choiceEdited();
    }
}

int SiteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !study ? 0 : static_cast<int>(study->sites.size());
}

int SiteModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SiteModel::text(const LabSite& site, int column) const {
    switch (static_cast<Column>(column)) {
        case Site:
            return site.name;
        case Module:
            return site.module;
        case Operator:
            return site.op;
        case Only:
            return decibelCell(site.only);
        case AllBut:
            return decibelCell(site.allBut);
        case Saved:
            return site.weightBytes > 0 ? labBytes(savedPart * site.weightBytes) : QString();
        case Cause:
            return site.canChoose() ? site.cause : tr("in float: %1").arg(site.rule);
        case ColumnCount:
            break;
    }
    return {};
}

QVariant SiteModel::sortKey(const LabSite& site, int column) {
    switch (static_cast<Column>(column)) {
        case Only:
            return decibelKey(site.only);
        case AllBut:
            return decibelKey(site.allBut);
        case Saved:
            return site.weightBytes;
        case Module:
            return site.module;
        case Operator:
            return site.op;
        case Cause:
            return site.cause;
        default:
            return site.name;
    }
}

QString SiteModel::tip(std::size_t row) const {
    const LabSite& site = study->sites[row];
    QStringList lines{site.module.isEmpty() ? site.name
                                            : QStringLiteral("%1 (%2)").arg(site.name, site.module)};
    const auto add = [&](const QString& what, const std::optional<double>& noise) {
        if (noise) {
            lines.append(QStringLiteral("%1: %2").arg(what, labDecibels(*noise)));
        }
    };
    if (!site.line.isEmpty()) {
        lines.append(site.line);
    }
    add(tr("only it in int8"), site.only);
    add(tr("only its weight"), site.weight);
    add(tr("only its activations"), site.activations);
    add(tr("all but it"), site.allBut);
    lines.append(text(site, Cause).toString());
    lines.removeAll(QString());
    return lines.join(u'\n');
}

QVariant SiteModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !study) {
        return {};
    }
    const auto row = static_cast<std::size_t>(index.row());
    const LabSite& site = study->sites[row];
    switch (role) {
        case Qt::DisplayRole:
            return text(site, index.column());
        case Qt::CheckStateRole:
            return index.column() == Site && site.canChoose()
                       ? QVariant(inFloat[row] ? Qt::Unchecked : Qt::Checked)
                       : QVariant();
        case Qt::ToolTipRole:
            return tip(row);
        case Qt::TextAlignmentRole:
            return siteColumns[static_cast<std::size_t>(index.column())].numeric
                       ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                       : QVariant();
        case SortRole:
            return sortKey(site, index.column());
        default:
            return {};
    }
}

QVariant SiteModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    const SiteColumn& column = siteColumns[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole:
            return tr(column.title);
        case Qt::ToolTipRole:
            return tr(column.tip);
        case Qt::TextAlignmentRole:
            return column.numeric ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                  : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
        default:
            return {};
    }
}

Qt::ItemFlags SiteModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
    const bool box = index.isValid() && index.column() == Site && study &&
                     study->sites[static_cast<std::size_t>(index.row())].canChoose();
    return box ? usual | Qt::ItemIsUserCheckable : usual;
}

bool SiteModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable)) {
        return false;
    }
    const auto row = static_cast<std::size_t>(index.row());
    if (inFloat[row] == (value.toInt() == Qt::Checked)) {
        toggle({row});
    }
    return true;
}

inspector::report::Table SiteModel::table(const std::vector<std::size_t>& rows) const {
    using inspector::report::Cell;
    inspector::report::Table made;
    made.indexed = false;
    for (const SiteColumn& column : siteColumns) {
        made.columns.push_back({.id = column.id, .header = column.id, .numeric = column.numeric});
    }
    made.columns.push_back({.id = "scheme", .header = "scheme"});
    for (const std::size_t row : rows) {
        const LabSite& site = study->sites[row];
        std::vector<Cell> cells;
        for (int column = 0; column < ColumnCount; ++column) {
            cells.push_back(column == Saved ? Cell(savedPart * site.weightBytes)
                                            : Cell(text(site, column).toString().toStdString()));
        }
        cells.emplace_back(inFloat[row] ? "float" : "int8");
        made.rows.push_back(std::move(cells));
    }
    return made;
}

}  // namespace et::visualizers
