#pragma once

#include "inspector/format/table.h"
#include "visualizers/lab/lab_study.h"

#include <QAbstractTableModel>

#include <memory>

namespace et::visualizers {

/// The sites of a study as rows in graph order, with the scheme chosen for each.
class SiteModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column : int { Site, Scheme, Only, Saved, Module, Operator, AllBut, Cause, ColumnCount };
    enum Role : int {
        SortRole = Qt::UserRole,  ///< double or QString
        SchemesRole,              ///< QStringList: schemes that the site supports
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null shows nothing. Initially, all sites that can be quantized have static scales.
    void setStudy(std::shared_ptr<const LabStudy> shown);
    /// Requires one scheme per site; does not emit choiceEdited().
    void setChoice(const LabChoice& choice);
    [[nodiscard]] const LabChoice& choice() const { return chosen; }
    /// Advances each of these sites to its next scheme as a user edit; sites without a choice are unchanged.
    void nextScheme(const std::vector<std::size_t>& sites);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    /// Rows as a table for format::render().
    [[nodiscard]] inspector::format::Table table(const std::vector<std::size_t>& rows) const;

  signals:
    /// Emitted when the user has chosen other schemes.
    void choiceEdited();

  private:
    void edit(const LabChoice& next);
    [[nodiscard]] QVariant text(std::size_t row, int column) const;
    [[nodiscard]] QVariant sortKey(std::size_t row, int column) const;
    [[nodiscard]] QString tip(std::size_t row) const;

    std::shared_ptr<const LabStudy> study;
    LabChoice chosen;
};

}  // namespace et::visualizers
