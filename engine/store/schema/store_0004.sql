-- The number of the Slurm job that carries a run on; empty: Slurm does not.
ALTER TABLE run ADD COLUMN slurm_job TEXT NOT NULL DEFAULT '';
