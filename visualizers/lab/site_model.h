#pragma once

#include "inspector/format/table.h"
#include "visualizers/lab/lab_study.h"

#include <QAbstractTableModel>

#include <memory>

namespace et::visualizers {

/// The sites of a study as rows, in graph order, each with the scheme that a person chose for it.
class SiteModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column : int { Site, Scheme, Only, Saved, Module, Operator, AllBut, Cause, ColumnCount };
    enum Role : int {
        SortRole = Qt::UserRole,  ///< double or QString
        SchemesRole,              ///< QStringList of what the site of a row can have
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null shows nothing. All sites that can be have static scales at first.
    void setStudy(std::shared_ptr<const LabStudy> shown);
    /// Of as many sites; says nothing with choiceEdited().
    void setChoice(const LabChoice& choice);
    [[nodiscard]] const LabChoice& choice() const { return chosen; }
    /// A person has each of these sites go on to its next scheme; those that cannot be chosen stay.
    void goOn(const std::vector<std::size_t>& sites);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    /// Rows as a table for report::render().
    [[nodiscard]] inspector::report::Table table(const std::vector<std::size_t>& rows) const;

  signals:
    /// A person chose other schemes.
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
