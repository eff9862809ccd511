#include "visualizers/lab/site_model.h"

#include "visualizers/lab/lab_text.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace et::visualizers {

namespace {

struct SiteColumn {
    const char* id;
    const char* title;  ///< untranslated
    const char* tip;    ///< untranslated
    bool numeric;
};
constexpr std::array siteColumns{
    SiteColumn{"site", "Site", "Node that the quantizer's pattern is anchored at", false},
    SiteColumn{"scheme", "Scheme", "Quantization scheme: click or F2 to choose one, Space for the next",
               false},
    SiteColumn{"only_db", "Alone (dB)", "SQNR if only this site is int8; low values mark costly sites", true},
    SiteColumn{"saved_bytes", "Saves", "Bytes saved if its weight is int8", true},
    SiteColumn{"module", "Module", "torch.nn.Module of the site", false},
    SiteColumn{"op", "Operator", "Operation", false},
    SiteColumn{"all_but_db", "All others (dB)", "SQNR if all other sites are int8", true},
    SiteColumn{"cause", "Why", "Main cause of its error, or why it stays in float", false},
};
static_assert(siteColumns.size() == SiteModel::ColumnCount);

double savedBytes(const LabSite& site) {
    return site.weightBytes - site.bytesOfWeight(LabScheme::Static8);
}

QString decibelCell(const std::optional<double>& noise) {
    return noise ? labDecibels(*noise).remove(QStringLiteral(" dB")) : QString();
}

/// Sort key: lowest for the largest error; 0 if the outputs are equal or the site cannot be quantized.
double decibelKey(const std::optional<double>& noise) {
    return noise && *noise > 0 ? -*noise : 0;
}

}  // namespace

void SiteModel::setStudy(std::shared_ptr<const LabStudy> shown) {
    beginResetModel();
    study = std::move(shown);
    chosen = study ? sameChoice(*study, LabScheme::Static8) : LabChoice();
    endResetModel();
}

void SiteModel::setChoice(const LabChoice& choice) {
    if (choice.size() == chosen.size() && choice != chosen) {
        chosen = choice;
        emit dataChanged(index(0, Scheme), index(rowCount() - 1, Scheme));
    }
}

void SiteModel::edit(const LabChoice& next) {
    if (next != chosen) {
        setChoice(next);
        emit choiceEdited();
    }
}

void SiteModel::nextScheme(const std::vector<std::size_t>& sites) {
    LabChoice next = chosen;
    for (const std::size_t site : sites) {
        const auto& schemes = study->sites[site].schemes;
        const auto now = std::ranges::find(schemes, next[site]);
        const bool hasNext = now != schemes.end() && std::next(now) != schemes.end();
        next[site] = hasNext ? *std::next(now) : schemes.front();
    }
    edit(next);
}

int SiteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !study ? 0 : static_cast<int>(study->sites.size());
}

int SiteModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SiteModel::text(std::size_t row, int column) const {
    const LabSite& site = study->sites[row];
    switch (static_cast<Column>(column)) {
        case Site:
            return site.name;
        case Scheme:
            return labSchemeName(chosen[row]);
        case Module:
            return site.module;
        case Operator:
            return site.op;
        case Only:
            return decibelCell(site.only);
        case AllBut:
            return decibelCell(site.allBut);
        case Saved:
            return site.weightBytes > 0 ? labBytes(savedBytes(site)) : QString();
        case Cause:
            return site.canChoose() ? site.cause : QStringLiteral("in float: %1").arg(site.rule);
        case ColumnCount:
            break;
    }
    return {};
}

QVariant SiteModel::sortKey(std::size_t row, int column) const {
    const LabSite& site = study->sites[row];
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
        case Scheme:
            return text(row, column);
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
    add(QStringLiteral("only this site in int8"), site.only);
    add(QStringLiteral("only its weight"), site.weight);
    add(QStringLiteral("only its activations"), site.activations);
    add(QStringLiteral("all other sites"), site.allBut);
    lines.append(text(row, Cause).toString());
    lines.removeAll(QString());
    return lines.join(u'\n');
}

QVariant SiteModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !study) {
        return {};
    }
    const auto row = static_cast<std::size_t>(index.row());
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return text(row, index.column());
        case SchemesRole: {
            QStringList names;
            std::ranges::transform(study->sites[row].schemes, std::back_inserter(names), labSchemeName);
            return names;
        }
        case Qt::ToolTipRole:
            return tip(row);
        case Qt::TextAlignmentRole:
            return siteColumns[static_cast<std::size_t>(index.column())].numeric
                       ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                       : QVariant();
        case SortRole:
            return sortKey(row, index.column());
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
            return QString::fromUtf8(column.title);
        case Qt::ToolTipRole:
            return QString::fromUtf8(column.tip);
        case Qt::TextAlignmentRole:
            return column.numeric ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                  : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
        default:
            return {};
    }
}

Qt::ItemFlags SiteModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
    const bool offers = index.isValid() && index.column() == Scheme && study &&
                        study->sites[static_cast<std::size_t>(index.row())].canChoose();
    return offers ? usual | Qt::ItemIsEditable : usual;
}

bool SiteModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const auto scheme = parseLabScheme(value.toString());
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable) || !scheme) {
        return false;
    }
    const auto row = static_cast<std::size_t>(index.row());
    if (!study->sites[row].takes(*scheme)) {
        return false;
    }
    LabChoice next = chosen;
    next[row] = *scheme;
    edit(next);
    return true;
}

inspector::format::Table SiteModel::table(const std::vector<std::size_t>& rows) const {
    using inspector::format::Cell;
    inspector::format::Table made;
    made.indexed = false;
    for (const SiteColumn& column : siteColumns) {
        made.columns.push_back({.id = column.id, .header = column.id, .numeric = column.numeric});
    }
    for (const std::size_t row : rows) {
        std::vector<Cell> cells;
        for (int column = 0; column < ColumnCount; ++column) {
            cells.push_back(column == Saved ? Cell(savedBytes(study->sites[row]))
                                            : Cell(text(row, column).toString().toStdString()));
        }
        made.rows.push_back(std::move(cells));
    }
    return made;
}

}  // namespace et::visualizers
